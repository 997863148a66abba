import { describe, expect, test } from 'vitest'
import { config, expectBooksToAgree, expectRecordingsToReplay, watched } from './support/fleetBooks.ts'
import { type HonestAnswer, type Lie, startLyingService, withEvents } from './support/lyingService.ts'
import { type RawServer, startRawServer } from './support/rawServer.ts'
import { startVirtualFleet } from './support/virtualFleet.ts'

// The bots that come with the project on a service that does what it is asked to and lies about it, for two minutes of play. Whatever it
// says, no bot holds more than its guard allows, no prediction that could be shown is left unshown, and all comes to an end.

const PLAYED_MS = 120_000
const every =
  (nth: number, at = nth - 1) =>
  ({ count }: HonestAnswer) =>
    count % nth === at

interface Case {
  readonly lie: Lie
  /** What the bots cannot come to know, so that their figures are not the service's. */
  readonly hides?: 'results'
  /** The guard stakes nothing with it. */
  readonly isRefused?: true
}

/** The answer to a read as it was the time before. */
function stale(): Lie {
  const before = new Map<string, string>()
  return ({ procedure, isAction, status, text, agent }, { path }) => {
    if (isAction || status !== 200 || procedure === 'agent.events' || procedure === 'agent.me') return undefined
    const place = `${agent} ${path}`
    const older = before.get(place)
    before.set(place, text)
    return older === undefined || older === text ? undefined : { text: older }
  }
}

const swapped = <T>(items: readonly T[]): T[] => {
  const other = [...items]
  for (let at = 0; at + 1 < other.length; at += 2) [other[at], other[at + 1]] = [other[at + 1] as T, other[at] as T]
  return other
}

const REFUSED = JSON.stringify({
  error: { json: { message: 'no', code: -32009, data: { code: 'CONFLICT', httpStatus: 409, appCode: 'CONTEST_NOT_OPEN', details: null } } },
})

const LIES: Readonly<Record<string, Case>> = {
  'cuts every seventh body': {
    lie: (answer, { response }) => {
      if (!every(7)(answer)) return undefined
      response.writeHead(answer.status, { 'content-length': String(answer.text.length), date: answer.date })
      response.write(answer.text.slice(0, answer.text.length >> 1), () => response.destroy())
      return 'answered'
    },
  },
  'ends every seventh body in the middle, as if it were whole': {
    lie: (answer) => (every(7)(answer) ? { text: answer.text.slice(0, answer.text.length >> 1) } : undefined),
  },
  'answers every ninth read with ten megabytes': {
    lie: (answer) => (!answer.isAction && every(9)(answer) ? { text: `"${'x'.repeat(10 * 1024 * 1024)}"` } : undefined),
  },
  'tells each event twice': { lie: (answer) => withEvents(answer, (events) => events.flatMap((event) => [event, event])) },
  'tells events in another order': { lie: (answer) => withEvents(answer, swapped) },
  'tells pages backwards': { lie: (answer) => withEvents(answer, (events) => events.toReversed()) },
  'leaves out every fifth event': {
    lie: (answer) => withEvents(answer, (events) => events.filter(({ id }) => Number.parseInt(String(id).slice(-2), 16) % 5 !== 0)),
    hides: 'results',
  },
  'never tells that a contest is live': {
    lie: (answer) => withEvents(answer, (events) => events.filter(({ type }) => type !== 'contest.live')),
  },
  'answers reads as they were the time before': { lie: stale() },
  'says another year in every other date': {
    lie: (answer) => (every(2)(answer) ? { date: new Date(Date.parse(answer.date) + 365 * 86_400_000).toUTCString() } : undefined),
  },
  'says that it is a year later': {
    lie: ({ date }) => ({ date: new Date(Date.parse(date) + 365 * 86_400_000).toUTCString() }),
    // More than an hour off: nothing is staked.
    isRefused: true,
  },
  'refuses every fourth action that it has done': {
    lie: (answer) => (answer.isAction && answer.status === 200 && every(4)(answer) ? { status: 409, text: REFUSED } : undefined),
  },
}

describe('a service that lies', () => {
  test.each(Object.entries(LIES))('and %s costs no stake twice, no cap and no prediction', async (_name, { lie, hides, isRefused }) => {
    let told = { lies: 0 }
    await using world = await startVirtualFleet({
      config,
      async between(url) {
        const service = await startLyingService(url, lie)
        told = service.told
        return service
      },
    })
    const until = world.clock.now() + PLAYED_MS
    await world.until(
      watched(world, () => world.clock.now() >= until),
      'two minutes have passed',
    )
    await world.drained()
    expect(told.lies).toBeGreaterThan(10)
    for (const { name, contests, failure } of world.reports()) {
      expect(failure).toBeUndefined()
      if (isRefused === true) expect(contests.settled, name).toBeLessThan(3)
      else expect(contests.settled, name).toBeGreaterThan(3)
      expect(world.heldOf(name)).toEqual({ open: 0, unrevealed: [] })
    }
    if (isRefused === true) return
    if (hides === undefined) await expectBooksToAgree(world)
    await expectRecordingsToReplay(world, 1)
  })

  test('and sends every seventh request elsewhere is not followed: nobody else is told the key', async () => {
    const elsewhere: RawServer = await startRawServer((call) => call.json(200, {}))
    await using world = await startVirtualFleet({
      config,
      between: (url) =>
        startLyingService(url, (answer) =>
          every(7)(answer)
            ? { status: [301, 302, 307, 308][answer.count % 4] ?? 302, text: '', headers: { location: `${elsewhere.url}/x` } }
            : undefined,
        ),
    })
    const until = world.clock.now() + PLAYED_MS
    await world.until(
      watched(world, () => world.clock.now() >= until),
      'two minutes have passed',
    )
    await world.drained()
    expect(elsewhere.calls).toEqual([])
    await expectBooksToAgree(world)
    await elsewhere[Symbol.asyncDispose]()
  })
})
