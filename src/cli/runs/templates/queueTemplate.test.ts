import { enqueue, joinContest, usdc } from 'cornerman'
import { contestView, expectConformance, NOW_MS, openContestView, type QueueWorld, queueContext, ticketView } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import queueTemplate from './queueTemplate.ts'

const decide = (world: QueueWorld = {}) => queueTemplate().decide(queueContext(world))
const open = (contestId: string, stake: string) => openContestView({ contestId, mode: 'draft_basket', stake: usdc(stake) })

describe('queueTemplate', () => {
  test('keeps the contract of a strategy', () => expectConformance(queueTemplate()))

  test('queues where no contest is open', () => {
    const ticket = enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 20, waitSec: 30 })
    expect(decide()).toEqual([ticket])
  })

  test('joins the open contest that stakes least', () => {
    const openContests = [open('dear', '1'), open('cheap', '0.5')]
    expect(decide({ openContests })).toEqual([joinContest({ contestId: 'cheap' })])
  })

  test('joins none that is about to close, or stakes more than it may', () => {
    const openContests = [{ ...open('closing', '1'), joinBy: NOW_MS + 4000 }, open('dear', '2')]
    expect(decide({ openContests })).toMatchObject([{ type: 'enqueue' }])
  })

  test('waits while it has a ticket or a seat', () => {
    expect(decide({ tickets: [ticketView()] })).toEqual([])
    expect(decide({ contests: [contestView()] })).toEqual([])
  })

  test('stays out once the day has cost enough', () => {
    const { limits } = queueContext()
    if (limits === undefined) throw new Error('the bot knows its limits')
    expect(decide({ limits: { ...limits, lostToday: usdc('10') } })).toEqual([])
  })
})
