import { describe, expect, test } from 'vitest'
import { guardView, join, NOW_MS, queue } from '../../test/support/guard/guardView.ts'
import { usdc } from '../core/usdc.ts'
import { type Action, createContest, ready } from '../strategy/action.ts'
import { check, isApproved } from './guard.ts'

describe('an approval', () => {
  test('reserves its stake in the check itself: the same money does not pass twice', () => {
    const view = guardView({ available: { value: usdc('5'), begunAt: NOW_MS } })
    expect(check('first', queue(usdc('3')), view).ok).toBe(true)
    expect(view.reservations).toMatchObject({ pendingStake: usdc('3'), pendingEntries: 1, unseenStake: usdc('3') })
    const second = check('second', queue(usdc('3'), { mode: 'up_down' }), view)
    expect(second).toMatchObject({ ok: false, refusal: { code: 'BANKROLL', numbers: { reserved: usdc('3') } } })
    expect(check('third', queue(usdc('2'), { mode: 'up_down' }), view).ok).toBe(true)
  })

  test('of a contest joined reserves the stake that was listed', () => {
    const view = guardView({ joinable: { c: { stake: usdc('4') } } })
    expect(check('key', join(), view).ok).toBe(true)
    expect(view.reservations.pendingStake).toBe(usdc('4'))
  })

  test('is known by the very object: no copy, and nothing made by hand, passes for one', () => {
    const action = queue()
    const verdict = check('key', action, guardView())
    if (!verdict.ok) throw new Error(verdict.refusal.message)
    expect(verdict.action).toEqual(action)
    expect(isApproved(verdict.action)).toBe(true)
    const copies: readonly Action[] = [{ ...verdict.action }, structuredClone(verdict.action), Object.freeze({ ...verdict.action })]
    for (const other of [action, ...copies, Object.create(verdict.action) as Action]) {
      expect(isApproved(other)).toBe(false)
    }
    const branded = { ...action, [Symbol('approval')]: true, approval: true }
    expect(isApproved(branded)).toBe(false)
  })

  test('is not given for a refused action', () => {
    const action = queue(usdc('6'))
    expect(check('key', action, guardView()).ok).toBe(false)
    expect(isApproved(action)).toBe(false)
  })

  test('can be changed by nobody, in no part of it', () => {
    const params = { pool: ['a', 'b'], rules: { picks: 3 } }
    const action = createContest({ mode: 'draft_basket', chain: 'solana', format: 'lobby', stake: usdc('1'), durationSec: 20, params })
    const verdict = check('key', action, guardView())
    if (!verdict.ok) throw new Error(verdict.refusal.message)
    const approved = verdict.action as unknown as { stake: bigint; params: { pool: string[]; rules: { picks: number } } }
    expect(() => {
      approved.stake = usdc('50')
    }).toThrow(TypeError)
    expect(() => approved.params.pool.push('c')).toThrow(TypeError)
    expect(() => {
      approved.params.rules.picks = 9
    }).toThrow(TypeError)
    // Nor by whoever holds what it was made from, which stays free to change.
    params.pool.push('c')
    params.rules.picks = 9
    expect(approved.params).toEqual({ pool: ['a', 'b'], rules: { picks: 3 } })
  })

  test('is of what was checked: an action that shows another stake each time it is looked at gains nothing', () => {
    let looks = 0
    const shifty = {
      ...queue(),
      get stake() {
        looks += 1
        return looks === 1 ? usdc('1') : usdc('40')
      },
    }
    const view = guardView()
    const verdict = check('key', shifty, view)
    expect(verdict).toMatchObject({ ok: true, action: { stake: usdc('1') } })
    expect(view.reservations.pendingStake).toBe(usdc('1'))
  })

  test('of an entry holds its stake for its mode and for the strategy that asked; of a move nothing', () => {
    const view = guardView({ seats: { c: {} }, joinable: { c: { stake: usdc('4'), mode: 'target_race' } } })
    const stake = usdc('4')
    const hold = { kind: 'entry', stake, risk: stake, mode: 'target_race', by: 'ladder' }
    expect(check('entry', join(), view)).toMatchObject({ ok: true, hold })
    expect(check('move', ready({ contestId: 'c', ready: true }), view)).toMatchObject({
      ok: true,
      hold: { kind: 'move', stake: 0n, risk: 0n },
    })
    const { reservations } = view
    expect([reservations.pendingByMode('target_race'), reservations.pendingByStrategy('ladder'), reservations.pendingEntries]).toEqual([
      stake,
      stake,
      1,
    ])
  })

  test('is given once under a key: a second under it is a fault of the framework and stops it', () => {
    const view = guardView()
    expect(check('key', queue(), view).ok).toBe(true)
    expect(() => check('key', queue(usdc('2')), view)).toThrow(expect.objectContaining({ code: 'INVARIANT', details: { key: 'key' } }))
  })
})
