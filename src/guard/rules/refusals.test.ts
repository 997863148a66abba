import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { buy, guardView, letOut, quoted } from '../../../test/support/guard/guardView.ts'
import type { Refused } from '../../../test/support/guard/refused/refused.ts'
import { REFUSED_ACTIONS } from '../../../test/support/guard/refused/refusedActions.ts'
import { REFUSED_QUOTES } from '../../../test/support/guard/refused/refusedQuotes.ts'
import { REFUSED_SWAPS } from '../../../test/support/guard/refused/refusedSwaps.ts'
import { check, checkQuote } from '../guard.ts'
import { INSPECTION_CODES } from '../inspection/index.ts'
import type { Reservations } from '../reservations.ts'
import { REFUSALS, type RefusalCode } from '../verdict.ts'

const REFUSAL_CODES = REFUSALS.map(({ code }) => code)

const rowsOf = <T extends object>(refused: Refused<T>) =>
  REFUSAL_CODES.flatMap((code) => (refused[code] ?? []).map((row) => ({ code, ...row })))

const actions = [...rowsOf(REFUSED_ACTIONS), ...rowsOf(REFUSED_SWAPS)]
const quotes = rowsOf(REFUSED_QUOTES)

/** Codes that are given elsewhere: by the inspection of a transaction, and by the queue before the guard. */
const ELSEWHERE: ReadonlySet<RefusalCode> = new Set([...INSPECTION_CODES, 'SWAP_QUEUE_FULL'])

const sums = ({ pendingStake, pendingRisk, pendingEntries, unseenStake, unseenSpend }: Reservations) => [
  ...[pendingStake, pendingRisk, pendingEntries, unseenStake, unseenSpend],
]

describe('check refuses', () => {
  test.each(actions)('$code: $name', ({ code, action, view, numbers, message }) => {
    const shown = guardView(view?.())
    const before = sums(shown.reservations)
    expect(check('refused', action, shown)).toEqual({ ok: false, refusal: { code, message: expect.stringContaining(message), numbers } })
    expect(sums(shown.reservations), 'what is refused holds nothing').toEqual(before)
  })
})

describe('checkQuote refuses', () => {
  test.each(quotes)('$code: $name', ({ code, quote, view, numbers, message }) => {
    const action = letOut(buy(), guardView())
    expect(checkQuote(action, quoted(quote), guardView(view?.()))).toEqual({
      ok: false,
      refusal: { code, message: expect.stringContaining(message), numbers },
    })
  })
})

/** The rows of the tables of codes in a page of the documentation: code, meaning, numbers, what to do. */
const rowsIn = (page: string): readonly (readonly string[])[] =>
  readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => /^\| `[A-Z]/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
const documented = rowsIn('guard.md')

describe('the codes', () => {
  test('are each once in the list, and each of the guard’s own has a case', () => {
    expect(new Set(REFUSAL_CODES).size).toBe(REFUSAL_CODES.length)
    const shown = new Set([...actions, ...quotes].map(({ code }) => code))
    expect(REFUSAL_CODES.filter((code) => !shown.has(code))).toEqual(REFUSAL_CODES.filter((code) => ELSEWHERE.has(code)))
  })

  test('have each a row in docs/guard.md, in full, and no row is of a code that is none', () => {
    expect(documented.map(([code]) => code).toSorted()).toEqual(REFUSAL_CODES.map((code) => `\`${code}\``).toSorted())
    for (const [code, meaning, numbers, advice, ...more] of documented) {
      expect(
        [meaning, advice].every((cell) => cell !== undefined && cell.length > 3),
        code,
      ).toBe(true)
      expect([typeof numbers, more.length], code).toEqual(['string', 0])
    }
  })

  test('of the inspection are explained as its own page does', () => {
    const isOfInspection = ([code]: readonly string[]) => INSPECTION_CODES.some((one) => code === `\`${one}\``)
    expect(documented.filter(isOfInspection)).toEqual(rowsIn('inspection.md').filter(isOfInspection))
  })

  test('name each number of theirs in their row, and no other', () => {
    const given = new Map<string, Set<string>>()
    for (const { code, numbers } of [...actions, ...quotes]) {
      const names = given.get(code) ?? new Set()
      given.set(code, names)
      for (const name of Object.keys(numbers)) names.add(name)
    }
    expect(given.size).toBe(REFUSAL_CODES.length - ELSEWHERE.size)
    for (const [code, names] of given) {
      const row = documented.find(([cell]) => cell === `\`${code}\``)
      const told = [...(row?.[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)
      expect(told.toSorted(), code).toEqual([...names].toSorted())
    }
  })
})
