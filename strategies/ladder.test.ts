import { type Action, type ContestView, MODES, type Mode, type OpenContestView, type StatsView, type TicketView, usdc } from 'cornerman'
import { contestView, expectConformance, NOW_MS, openContestView, statsView, strategyContext, ticketView } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import ladder from './ladder.ts'

const UP_DOWN: { modes: Mode[] } = { modes: ['up_down'] }
const PLAYED = { WIN: 0, LOSS: 0, DRAW: 0, REFUND: 0, profit: 0n }

const open = (contestId: string, fields: Partial<OpenContestView> = {}): OpenContestView => openContestView({ contestId, ...fields })
const ticket = (mode: Mode): TicketView => ticketView({ ticketId: `ticket ${mode}`, mode })
const seat = (mode: Mode): ContestView => contestView({ contestId: `seat ${mode}`, mode })

interface World {
  readonly closed?: readonly string[]
  readonly tickets?: readonly TicketView[]
  readonly contests?: readonly ContestView[]
  readonly openContests?: readonly OpenContestView[]
  readonly byMode?: StatsView['byMode']
  readonly seed?: number
  /** Whether chance has a say in whose turn it is; without it, the first of those played least. */
  readonly byChance?: boolean
  readonly params?: Parameters<typeof ladder>[0]
}

async function decide({
  tickets = [],
  contests = [],
  openContests = [],
  byMode = {},
  seed = 7,
  byChance = false,
  params = {},
  closed = [],
}: World): Promise<readonly Action[]> {
  const stats = statsView({ byMode })
  const modes = Object.fromEntries(closed.map((mode) => [mode, { isOpen: false, why: 'MODE_CLOSED' }]))
  const state = { limits: undefined, bankroll: undefined, tickets, entering: [], contests, swappedIn: [], openContests, stats, modes }
  const context = strategyContext({ seed })
  const random = byChance ? context.random : { ...context.random, next: () => 0.5, integer: (_least: number, most: number) => most }
  return (await ladder(params).decide({ ...context, random, ...state, state })) ?? []
}

/** The mode it would enter, and of up_down the contest. */
const entered = async (world: World) =>
  (await decide(world)).map((action) => ('mode' in action ? action.mode : 'contestId' in action && action.contestId))

describe('ladder', () => {
  test('keeps the contract of a strategy', () => expectConformance(ladder()))

  test('plays the mode it has played least, whatever came of it', async () => {
    const params = { modes: ['draft_basket', 'price_prediction'] as const }
    const world = (drafted: object, predicted: object): World => ({
      params: { modes: [...params.modes] },
      byMode: { draft_basket: { ...PLAYED, ...drafted }, price_prediction: { ...PLAYED, ...predicted } },
    })
    expect(await entered(world({ WIN: 2 }, { LOSS: 1 }))).toEqual(['price_prediction'])
    expect(await entered(world({ WIN: 1 }, { LOSS: 1, DRAW: 1 }))).toEqual(['draft_basket'])
    expect(await entered(world({ DRAW: 1, REFUND: 1 }, { LOSS: 1 }))).toEqual(['price_prediction'])
    expect(await entered(world({ REFUND: 3 }, { REFUND: 2 }))).toEqual(['price_prediction'])
  })

  test('of modes played equally takes any, and knows a mode it never played', async () => {
    const modes: Mode[] = ['price_prediction', 'draft_basket']
    const first = await Promise.all(Array.from({ length: 20 }, (_, seed) => entered({ params: { modes }, seed, byChance: true })))
    expect(new Set(first.flat())).toEqual(new Set(modes))
    const byMode = { price_prediction: { ...PLAYED, WIN: 1 } }
    expect(await entered({ params: { modes: ['price_prediction', 'draft_basket'] }, byMode })).toEqual(['draft_basket'])
  })

  test('leaves no mode out for one that is never played, since it is refused or matched with nobody', async () => {
    const never: Mode[] = ['best_trade', 'target_race']
    const modes: Mode[] = [...never, 'pnl_usd', 'draft_basket', 'same_token']
    const times = new Map(modes.map((mode) => [mode, 0]))
    for (let seed = 0; seed < 400; seed++) {
      const settled = modes.filter((mode) => !never.includes(mode)).map((mode) => [mode, { ...PLAYED, WIN: times.get(mode) ?? 0 }] as const)
      const [mode] = await entered({ seed, byChance: true, params: { modes }, byMode: Object.fromEntries(settled) })
      times.set(mode as Mode, (times.get(mode as Mode) ?? 0) + 1)
    }
    // A tenth each, but for chance.
    for (const mode of modes) expect(times.get(mode), mode).toBeGreaterThan(20)
  })

  test('plays nearly all in turn where none lags behind', async () => {
    let inTurn = 0
    for (let seed = 0; seed < 400; seed++) {
      const modes: Mode[] = ['pnl_usd', 'draft_basket', 'same_token']
      const byMode = { pnl_usd: { ...PLAYED, WIN: 5 }, draft_basket: { ...PLAYED, WIN: 5 }, same_token: { ...PLAYED, WIN: 4 } }
      if ((await entered({ seed, byChance: true, params: { modes }, byMode }))[0] === 'same_token') inTurn++
    }
    expect(inTurn).toBeGreaterThan(350)
  })

  test('plays all nine modes, if not told otherwise, up_down by joining and the others by the queue', async () => {
    const played: Record<string, StatsView['byMode'][string]> = {}
    const entries: string[] = []
    for (let contest = 0; contest < MODES.length; contest++) {
      const [action] = await decide({ byMode: played, openContests: [open('a')] })
      if (action?.type !== 'enqueue' && action?.type !== 'joinContest') throw new Error('it entered nothing')
      const mode = action.type === 'enqueue' ? action.mode : 'up_down'
      entries.push(`${action.type} ${mode}`)
      played[mode] = { ...PLAYED, LOSS: 1 }
    }
    expect(entries.toSorted()).toEqual(MODES.map((mode) => `${mode === 'up_down' ? 'joinContest' : 'enqueue'} ${mode}`).toSorted())
  })

  test('queues with its stake and its time, for half a minute', async () => {
    expect(await decide({ params: { modes: ['draft_basket'], stake: usdc('3'), durationSec: 60 } })).toEqual([
      { type: 'enqueue', mode: 'draft_basket', stake: usdc('3'), durationSec: 60, waitSec: 30 },
    ])
  })

  test('is in no mode twice at a time, by ticket or by seat', async () => {
    const modes: Mode[] = ['draft_basket', 'price_prediction']
    expect(await entered({ params: { modes }, tickets: [ticket('draft_basket')] })).toEqual(['price_prediction'])
    expect(await entered({ params: { modes }, contests: [seat('draft_basket')] })).toEqual(['price_prediction'])
    expect(
      await entered({ params: { modes, atOnce: 9 }, tickets: [ticket('draft_basket')], contests: [seat('price_prediction')] }),
    ).toEqual([])
  })

  test('is in no more at once than it was told, tickets and seats together', async () => {
    const busy: World = { tickets: [ticket('draft_basket')], contests: [seat('up_down')] }
    expect(await entered({ ...busy, params: { atOnce: 2 } })).toEqual([])
    expect(await entered({ ...busy, params: { atOnce: 3 } })).toEqual(['pnl_race_pct'])
  })

  test('enters up_down by joining an open contest, and names the others in case its side is taken', async () => {
    const [action] = await decide({ params: UP_DOWN, openContests: [open('a'), open('b'), open('c')] })
    if (action?.type !== 'joinContest') throw new Error('it joined nothing')
    expect([action.contestId, ...(action.orElse ?? [])].toSorted()).toEqual(['a', 'b', 'c'])
    expect(action.side).toBeUndefined()
  })

  test('chooses among them by the random numbers it is given: the same for the same, all of them in the long run', async () => {
    const openContests = [open('a'), open('b'), open('c')]
    const chosen = await Promise.all(Array.from({ length: 40 }, (_, seed) => entered({ params: UP_DOWN, openContests, seed })))
    expect(new Set(chosen.flat())).toEqual(new Set(['a', 'b', 'c']))
    expect(await entered({ params: UP_DOWN, openContests, seed: 3 })).toEqual(chosen[3])
  })

  test.each<readonly [name: string, contest: OpenContestView]>([
    ['is full', open('x', { filled: 2 })],
    ['closes within four seconds', open('x', { joinBy: NOW_MS + 4000 })],
    ['has closed', open('x', { joinBy: NOW_MS - 1 })],
    ['is of another mode', open('x', { mode: 'draft_basket' })],
    ['stakes more than it may', open('x', { stake: usdc('1') + 1n })],
  ])('joins none that %s', async (_name, contest) => {
    expect(await decide({ params: UP_DOWN, openContests: [contest] })).toEqual([])
    // Neither first nor as an alternative.
    expect(await decide({ params: UP_DOWN, openContests: [contest, open('y')] })).toEqual([
      { type: 'joinContest', contestId: 'y', orElse: [] },
    ])
  })

  test('joins one that stakes less, one that closes just late enough, and one that does not say when', async () => {
    for (const contest of [open('x', { stake: usdc('0.5') }), open('x', { joinBy: NOW_MS + 4001 }), open('x', { joinBy: undefined })]) {
      expect(await entered({ params: UP_DOWN, openContests: [contest] })).toEqual(['x'])
    }
  })

  test('goes on to the next mode where no contest is open', async () => {
    expect(await entered({ params: { modes: ['up_down', 'draft_basket'] }, openContests: [] })).toEqual(['draft_basket'])
    expect(await entered({ params: UP_DOWN })).toEqual([])
  })

  test('asks to see open contests of up_down up to its stake, and none where it does not play it', () => {
    expect(ladder({ stake: usdc('3') }).browse).toEqual({ modes: ['up_down'], maxStake: usdc('3') })
    expect(ladder({ modes: ['draft_basket'] }).browse).toBeUndefined()
  })
})
