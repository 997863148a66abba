import { describe, expect, test } from 'vitest'
import { config } from './support/fleetBooks.ts'
import { type HonestAnswer, type Lie, startLyingService } from './support/lyingService.ts'
import { startVirtualFleet, type VirtualFleet } from './support/virtualFleet.ts'

// The bots that come with the project play for half a minute, and then the service changes a word, or forgets: how soon the log says so, and
// what it costs.

const PLAYED_MS = 30_000

interface Line {
  readonly level: string
  readonly bot?: string
  readonly code?: string
  readonly msg: string
}

interface Event {
  readonly id: string
}
type Page = { events?: Event[]; cursor: string | null }

/** A page of the stream with another one in its place; undefined of any other answer. */
function withPage({ procedure, status, text }: HonestAnswer, change: (page: Page) => object): { text: string } | undefined {
  if (procedure !== 'agent.events' || status !== 200) return undefined
  const body = JSON.parse(text) as { result: { data: { json: Page } } }
  body.result.data.json = change(body.result.data.json) as Page
  return { text: JSON.stringify(body) }
}

const inputIn = (path: string): { readonly after?: string | null; readonly latest?: true } =>
  (JSON.parse(new URL(path, 'http://service').searchParams.get('input') ?? '{}') as { json: object }).json

/** Starts the bots behind a service that is honest until `change` is called. */
async function playing(lie: Lie) {
  const state = { isChanged: false, told: [] as string[] }
  const world = await startVirtualFleet({
    config,
    between: (url) =>
      startLyingService(url, (answer, call) => {
        if (state.isChanged) return lie(answer, call)
        withPage(answer, (page) => {
          for (const { id } of page.events ?? []) if (!state.told.includes(id)) state.told.push(id)
          return page
        })
        return undefined
      }),
  })
  const until = world.clock.now() + PLAYED_MS
  await world.until(() => world.clock.now() >= until, 'the bots have played')
  const lines = () => world.log.map((line) => JSON.parse(line) as Line)
  const said = (code: string) => lines().filter((line) => line.code === code)
  const change = () => {
    state.isChanged = true
    return world.clock.now()
  }
  /** Waits until both bots say it. @returns after how many milliseconds */
  const untilSaid = async (code: string, since: number, limitMs: number) => {
    const bots = config.bots.map(({ name }) => name)
    await world.until(() => bots.every((bot) => said(code).some((line) => line.bot === bot)), `both bots say ${code}`, limitMs)
    return world.clock.now() - since
  }
  return { world, state, change, said, until: untilSaid }
}

const failing = (world: VirtualFleet) => world.reports().flatMap(({ failure }) => failure ?? [])

describe('a service that changes its words while bots play', () => {
  test('moves the event list: both bots say so with the next poll, and hear again once it is back', async () => {
    const { world, state, change, said, until } = await playing((answer) =>
      withPage(answer, ({ events, cursor }) => ({ items: events, cursor })),
    )
    await using _ = world
    expect(await until('ANSWER_INCOMPLETE', change(), 5000)).toBeLessThanOrEqual(4000)
    for (const { msg } of said('ANSWER_INCOMPLETE'))
      expect(msg).toMatch(
        /^the service answers agent\.events without events: no event is heard, and nothing is entered\. .* cornerman call agent\.events/,
      )
    expect(world.fleet.bots.map((bot) => bot.status()?.incompleteAnswers)).toEqual(
      config.bots.map(() => [{ procedure: 'agent.events', field: 'events' }]),
    )
    state.isChanged = false
    await world.drained()
    expect(failing(world)).toEqual([])
  })

  test('renames a mode in all it tells: each bot says so, and enters it no more', async () => {
    const entries: { readonly agent: string; readonly at: number }[] = []
    let now = () => 0
    const { world, change, until, said } = await playing(({ agent, procedure, text }, { body }) => {
      if (procedure === 'agent.queue.enqueue' && body.includes('"pnl_usd"')) entries.push({ agent, at: now() })
      return { text: text.replaceAll('"pnl_usd"', '"pnl_usd_v2"') }
    })
    await using _ = world
    now = () => world.clock.now()
    await until('CONTEST_UNNAMED', change(), 120_000)
    expect(said('CONTEST_UNNAMED')[0]?.msg).toMatch(/^[12]\.00 USDC are in (contest|ticket) .* the service calls "pnl_usd_v2"/)
    const closedAt = world.clock.now()
    const later = closedAt + 120_000
    await world.until(() => world.clock.now() >= later, 'two minutes have passed')
    expect(entries.filter(({ at }) => at > closedAt)).toEqual([])
    for (const bot of world.fleet.bots)
      expect(bot.status()?.modes?.find(({ mode }) => mode === 'pnl_usd')).toMatchObject({ code: 'MODE_CLOSED', trialAt: undefined })
  })

  test.each([
    ['goes back to an older state', 'SERVICE_RESTORED', 10_000],
    ['deletes what it has told', 'EVENTS_EXPIRED', 5000],
  ] as const)('%s, and answers what it does not know with nothing: both bots say %s within %i ms', async (_what, code, limitMs) => {
    const isBack = code === 'SERVICE_RESTORED'
    let now = () => 0
    /** When the service first answered with nothing, though it had something: before, nothing was wrong. */
    const wrongAt = new Map<string, number>()
    const isKept = (told: readonly string[], id: string) => (isBack ? told.slice(0, told.length / 2).includes(id) : !told.includes(id))
    const { world, state, change, until, said } = await playing((answer, { path }) =>
      withPage(answer, ({ events = [], cursor }) => {
        const { told } = state
        const { after = null, latest = false } = inputIn(path)
        if (latest) return { cursor: isBack ? (told.findLast((id) => isKept(told, id)) ?? null) : cursor }
        const isGone = after !== null && told.includes(after) && !isKept(told, after)
        if (isGone && (isBack || events.length > 0) && !wrongAt.has(answer.agent)) wrongAt.set(answer.agent, now())
        const left = isGone ? [] : events.filter(({ id }) => isKept(told, id))
        return { events: left, cursor: left.at(-1)?.id ?? after }
      }),
    )
    await using _ = world
    now = () => world.clock.now()
    await until(code, change(), 60_000)
    expect(wrongAt.size).toBe(config.bots.length)
    expect(world.clock.now() - Math.max(...wrongAt.values())).toBeLessThanOrEqual(limitMs)
    expect(said(isBack ? 'EVENTS_EXPIRED' : 'SERVICE_RESTORED')).toEqual([])
  })
})
