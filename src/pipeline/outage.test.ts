import { describe, expect, test } from 'vitest'
import { openPrediction, predictionId, shelvePrediction } from '../../test/support/predictionContest.ts'
import { queuedTicket, unreadable } from '../../test/support/scriptedService.ts'
import type { TestBot } from '../../test/support/testBot.ts'
import { procedures, type ReadName } from '../contract/procedures.ts'
import type { ReadResult } from './protocol/input.ts'
import type { Outcome } from './protocol/outcome.ts'

// The service is away for an hour, while a prediction waits to be shown.

const READS = (Object.keys(procedures) as (keyof typeof procedures)[]).filter((name): name is ReadName => procedures[name].kind === 'read')
const HOUR_MS = 3_600_000
const AWAY: Readonly<Record<string, { readonly read: () => ReadResult; readonly act: () => Outcome }>> = {
  'nobody listens': {
    read: () => ({ ok: false, refusal: undefined, reason: 'ECONNREFUSED' }),
    act: () => ({ status: 'notSent', reason: 'ECONNREFUSED' }),
  },
  'every answer is HTTP 503': { read: () => unreadable(503), act: () => ({ status: 'unknown', reason: 'HTTP 503' }) },
  'every answer is HTTP 429': {
    read: () => unreadable(429),
    act: () => ({ status: 'rejected', refusal: { code: 'RATE_LIMITED', message: 'too many requests', status: 429 } }),
  },
}

/** What a log at its usual level has of it. */
const lines = (bot: TestBot, since: number) =>
  bot.steps
    .slice(since)
    .flatMap(({ notes }) => notes.filter(({ level }) => level !== 'debug').map(({ level, message }) => `${level} ${message}`))

async function playThrough(how: string) {
  const { read, act } = AWAY[how] ?? { read: () => unreadable(), act: () => ({ status: 'notSent', reason: '' }) as const }
  const bot = await openPrediction()
  bot.service.tickets = [queuedTicket('01955193-de00-7000-8000-02137cd286ed')]
  await bot.run(10_000)
  const begin = bot.steps.length
  for (const name of READS) bot.service.onRead(name, read as never)
  bot.service.onAct('agent.modes.revealPrediction', act)
  bot.events.fallBehind()
  await bot.run(HOUR_MS)
  const during = lines(bot, begin)
  const end = bot.steps.length
  for (const name of READS) bot.service.onRead(name, undefined)
  bot.service.onAct('agent.modes.revealPrediction', () => {
    shelvePrediction(bot.service, { phase: 'reveal', committed: true, revealed: true })
    return { status: 'accepted', output: {} }
  })
  bot.events.catchUp()
  await bot.run(120_000)
  const reveals = bot.journal.records.flatMap(({ intents }) => intents.filter(({ action }) => action.type === 'revealPrediction'))
  return { bot, during, after: lines(bot, end), reveals }
}

describe.each(Object.keys(AWAY))('an hour in which %s', (how) => {
  test('is told in a few lines: when it begins, ever more seldom, and when it ends', async () => {
    const { bot, during, after } = await playThrough(how)
    expect(during.length).toBeLessThan(60)
    expect(during.filter((line) => line.includes('revealPrediction')).length).toBeLessThan(12)
    const failing = new Set(during.flatMap((line) => /^warn (\S+) could not be read/.exec(line)?.[1] ?? []))
    const again = new Set(after.flatMap((line) => /^info (\S+) can be read again, after \d+ failures/.exec(line)?.[1] ?? []))
    expect(failing.size).toBeGreaterThan(2)
    // Of the contest nobody asks any more once it is over.
    expect([...failing].filter((procedure) => !again.has(procedure))).toEqual(['agent.contests.get'])
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })
})

test('a reveal that could not be sent for an hour is one action, and no failure once it is taken', async () => {
  const { bot, reveals, after } = await playThrough('nobody listens')
  expect(reveals).toHaveLength(1)
  expect(bot.service.sent('agent.modes.revealPrediction').length).toBeGreaterThan(100)
  expect(bot.status().actions.failed).toBe(0)
  expect(after).toContainEqual(expect.stringMatching(`info revealPrediction ${predictionId} was taken, after \\d+ tries in vain`))
})
