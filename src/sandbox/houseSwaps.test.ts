import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultsOf, openTestService, type TestService } from '../../test/support/sandbox/openTestService.ts'
import { rosterOf } from '../contests/house/roster.ts'
import { type Command, type Contest, contestModes, type FillCommand, quoteSwap, ticketView } from '../contests/index.ts'
import { agentOf } from '../contests/state/state.ts'
import { VirtualClock } from '../core/clock.ts'
import { type Mint, symbolOf, USDC_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { walletFor } from './createWallet.ts'

const SWAP_MODES = ['pnl_race_pct', 'pnl_usd', 'best_trade', 'same_token', 'target_race', 'last_bag_standing'] as const
type SwapMode = (typeof SWAP_MODES)[number]

const DURATION_SEC = 15
/** From a ticket to the settlement of its contest, whatever the delays. */
const WHOLE_MS = 25_000

const isHouse = (agentId: string) => rosterOf(7).has(agentId)

const TERMS = { type: 'enqueue', stake: usdc('1'), durationSec: DURATION_SEC, opponents: 'ANY', chain: 'solana', waitSec: 60 } as const

/** The contest a ticket led to. */
function enter(world: TestService, agentId: string, mode: SwapMode): string {
  const { ticketId } = world.obey({ ...TERMS, agentId, mode })
  world.advance(3000)
  const ticket = world.service.read((state) => ticketView(state, ticketId, agentId))
  return (ticket.ok && ticket.value.contestId) || ''
}

/** Buys for 10 USDC as the DEX quotes, for a contest in its window. */
function buy(world: TestService, agentId: string, contestId: string): void {
  const { clock, service } = world
  const { startsAt, params } = contestOf(world, contestId)
  clock.advanceTo((startsAt ?? 0) + 1000)
  const mint = 'token' in params && typeof params.token === 'string' ? params.token : (mintsOf(world)[0] ?? '')
  const changes = [{ mint: USDC_MINT, delta: -usdc('10') }]
  const { outAmount = 0n } = quote(world, { from: USDC_MINT, to: mint, amount: usdc('10'), atMs: clock.now() }) ?? {}
  world.obey({
    type: 'fill',
    agentId,
    contestId,
    signature: `${agentId} ${contestId}`,
    changes: [...changes, { mint, delta: outAmount }],
    feeLamports: 0n,
  })
  expect(service.houseRefusals).toBe(0)
}

function quote({ service }: TestService, swap: { from: Mint; to: Mint; amount: bigint; atMs: number }) {
  const { from, to, amount, atMs } = swap
  const request = { inputMint: from, outputMint: to, amount, swapMode: 'ExactIn', slippageBps: 0 } as const
  const answer = quoteSwap(request, (mint) => service.priceAt(mint, atMs))
  return answer.ok ? answer.quote : undefined
}

const mintsOf = ({ service }: TestService) => service.read(({ mints }) => mints)

function contestOf({ service }: TestService, contestId: string): Contest {
  const contest = service.read(({ contests }) => contests.get(contestId))
  if (contest === undefined) throw new Error(`no contest ${contestId}`)
  return contest
}

interface Made {
  readonly atMs: number
  readonly agentId: string
  readonly contestId: string | null
  readonly from: Mint
  readonly to: Mint
  readonly inAmount: bigint
  readonly outAmount: bigint
}

function madeOf({ now, agentId, contestId, changes }: FillCommand & { readonly now: number }): Made {
  const given = changes.find(({ delta }) => delta < 0n)
  const received = changes.find(({ delta }) => delta > 0n)
  const amounts = { inAmount: -(given?.delta ?? 0n), outAmount: received?.delta ?? 0n }
  return { atMs: now, agentId, contestId, from: given?.mint ?? '', to: received?.mint ?? '', ...amounts }
}

/** Every swap of the house that the log has. */
function houseSwaps({ service }: TestService): Made[] {
  const swaps: Made[] = []
  for (const { command } of service.store.commands()) {
    if (command.type === 'fill' && isHouse(command.agentId) && command.changes.length > 0) swaps.push(madeOf(command))
  }
  return swaps
}

const tokensHeld = ({ service }: TestService, agentId: string) => service.read((state) => agentOf(state, agentId).tokens)

const holdsNothing = (world: TestService) => [...rosterOf(7).keys()].every((agentId) => tokensHeld(world, agentId).size === 0)

/** Everything that was obeyed, apart from the mere passing of time, which a restart notes too, and agents, whose wallets are new in every sandbox. */
const logOf = ({ service }: TestService): Command[] =>
  [...service.store.commands()].map(({ command }) => command).filter(({ type }) => type !== 'advance' && type !== 'createAgent')

test('six modes are played by swaps', () => {
  expect(contestModes.filter((mode) => !SWAP_MODES.some((swapped) => swapped === mode))).toEqual([
    'up_down',
    'draft_basket',
    'price_prediction',
  ])
})

describe.each(SWAP_MODES)('%s', (mode) => {
  test('the house trades within the window against whoever queued, and both are scored', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const contestIds: string[] = []
    for (let round = 0; round < 10; round++) {
      const contestId = enter(world, alice, mode)
      buy(world, alice, contestId)
      contestIds.push(contestId)
      world.advance(WHOLE_MS)
    }
    const swaps = houseSwaps(world)
    for (const contestId of contestIds) {
      const contest = contestOf(world, contestId)
      expect(contest.status).toBe('settled')
      expect(contest.entries.map(({ score }) => typeof score)).toEqual(['string', 'string'])

      const { startsAt, endsAt } = contest
      const own = swaps.filter((swap) => swap.contestId === contestId)
      expect(own.length).toBeGreaterThanOrEqual(1)
      expect(own.length).toBeLessThanOrEqual(3)
      expect(own[0]?.from).toBe(USDC_MINT)
      expect(own[0]?.atMs).toBeLessThan((startsAt ?? 0) + DURATION_SEC * 250)
      for (const { atMs } of own) {
        expect(atMs).toBeGreaterThan(startsAt ?? Number.NaN)
        expect(atMs).toBeLessThan(endsAt ?? Number.NaN)
      }
    }
    expect(new Set(swaps.map(({ agentId }) => agentId)).size).toBeGreaterThan(3)
    expect(holdsNothing(world)).toBe(true)
    expect(faultsOf(world.service)).toEqual([])
  })

  test('the house wins against who does nothing', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const contestId = enter(world, alice, mode)
    world.advance(WHOLE_MS)
    const results = contestOf(world, contestId).entries.map(({ agentId, result }) => [isHouse(agentId), result])
    expect(results).toEqual(
      expect.arrayContaining([
        [true, 'WIN'],
        [false, 'LOSS'],
      ]),
    )
    expect(faultsOf(world.service)).toEqual([])
  })

  test('the same seed and commands give the same log and the same events; another seed does not', () => {
    const play = (seed: number) => {
      const world = openTestService({ seed })
      enter(world, world.addAgent('alice'), mode)
      world.advance(WHOLE_MS)
      return { log: logOf(world), events: [...world.service.store.eventBodies()] }
    }
    const first = play(7)
    expect(play(7)).toEqual(first)
    expect(play(8).log).not.toEqual(first.log)
  })
})

test('a restart every second changes nothing in any mode', () => {
  const play = (isRestarted: boolean) => {
    const dbFile = join(mkdtempSync(join(tmpdir(), 'swaps-')), 'sandbox.db')
    let world = openTestService({ dbFile })
    for (const [index, name] of ['alice', 'bob', 'carol'].entries()) {
      const agentId = world.addAgent(name)
      // Tickets of one stake would meet each other, and the house nobody.
      for (const mode of SWAP_MODES) world.obey({ ...TERMS, agentId, mode, stake: BigInt(index + 1) })
    }
    for (let second = 0; second < WHOLE_MS / 1000; second++) {
      world.advance(1000)
      if (!isRestarted) continue
      world.service.close()
      world = openTestService({ dbFile, clock: new VirtualClock(world.clock.now()) })
    }
    expect(faultsOf(world.service)).toEqual([])
    const played = { log: logOf(world), events: [...world.service.store.eventBodies()].map(({ body }) => body) }
    world.service.close()
    return played
  }
  const unbroken = play(false)
  expect(unbroken.log.filter(({ type }) => type === 'fill').length).toBeGreaterThan(3 * SWAP_MODES.length)
  expect(play(true)).toEqual(unbroken)
})

/** The house's swaps in a number of contests against somebody who only looks on. */
function watch(mode: SwapMode, rounds: number) {
  const world = openTestService()
  const alice = world.addAgent('alice')
  for (let round = 0; round < rounds; round++) {
    const contestId = enter(world, alice, mode)
    // A bag of her own keeps last_bag_standing going to the end.
    buy(world, alice, contestId)
    world.advance(WHOLE_MS)
  }
  const swaps = houseSwaps(world)
  return { world, swaps, tagged: swaps.filter(({ contestId }) => contestId !== null) }
}

describe('what the house trades', () => {
  test('it gets what the DEX quotes at that very instant', () => {
    const { world, swaps } = watch('best_trade', 5)
    for (const { atMs, from, to, inAmount, outAmount } of swaps) {
      expect(quote(world, { from, to, amount: inAmount, atMs })?.outAmount).toBe(outAmount)
    }
    expect(swaps.length).toBeGreaterThan(10)
  })

  test('it spends 100 to 500 USDC, which a new agent has too', () => {
    const spent = watch('pnl_usd', 20).tagged.filter(({ from }) => from === USDC_MINT)
    expect(spent.every(({ inAmount }) => inAmount >= usdc('100') && inAmount <= usdc('500'))).toBe(true)
    expect(new Set(spent.map(({ inAmount }) => inAmount)).size).toBeGreaterThan(10)
  })

  test.each(['same_token', 'last_bag_standing'] as const)('in %s, only the token of the contest', (mode) => {
    const { world, tagged } = watch(mode, 10)
    expect(tagged.length).toBeGreaterThan(5)
    for (const { contestId, from, to } of tagged) {
      const [token] = [from, to].filter((mint) => mint !== USDC_MINT)
      expect(contestOf(world, contestId ?? '').params).toMatchObject({ token })
    }
  })

  test('in last_bag_standing, it buys once and keeps its bag', () => {
    expect(watch('last_bag_standing', 10).tagged.map(({ from }) => symbolOf(from))).toEqual(Array.from({ length: 10 }, () => 'USDC'))
  })

  test('in target_race, what moves most', () => {
    const { tagged } = watch('target_race', 20)
    const bought = new Set(tagged.map(({ to }) => symbolOf(to)).filter((symbol) => symbol !== 'USDC'))
    expect(bought.size).toBeGreaterThan(2)
    expect([...bought].filter((symbol) => ['SOL', 'ETH', 'CBBTC'].includes(symbol))).toEqual([])
  })

  test('in pnl_race_pct, many a token; the better the skill, the fewer changes', () => {
    const { tagged } = watch('pnl_race_pct', 60)
    expect(new Set(tagged.map(({ to }) => to)).size).toBeGreaterThan(8)
    const swapsOf = (skill: string) => {
      const own = tagged.filter(({ agentId }) => rosterOf(7).get(agentId)?.skill === skill)
      return own.length / new Set(own.map(({ contestId }) => contestId)).size
    }
    expect(swapsOf('momentum')).toBeLessThan(swapsOf('noisy'))
    expect(swapsOf('noisy')).toBeLessThan(swapsOf('random'))
  })

  test('what happens elsewhere changes nothing', () => {
    const against = (disturb: boolean) => {
      const world = openTestService()
      const [alice, bob] = [world.addAgent('alice'), world.addAgent('bob')]
      const contestId = enter(world, alice, 'best_trade')
      if (disturb) for (const mode of SWAP_MODES) world.obey({ ...TERMS, agentId: bob, mode, stake: usdc('2') })
      world.advance(WHOLE_MS)
      return houseSwaps(world).filter((swap) => swap.contestId === contestId)
    }
    expect(against(false).length).toBeGreaterThan(0)
    expect(against(true)).toEqual(against(false))
  })
})

describe("the house's bankroll", () => {
  test('what a contest leaves is sold at its end, and what a live one needs is kept', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    world.obey({ ...TERMS, agentId: alice, mode: 'pnl_usd', durationSec: 600 })
    for (let round = 0; round < 20; round++) {
      enter(world, alice, 'last_bag_standing')
      world.advance(WHOLE_MS - 3000)
    }
    const inContest = world.service.read(({ agents }) => [...agents.values()].filter(({ house, tokens }) => house && tokens.size > 0))
    expect(inContest).toHaveLength(1)
    world.advance(600_000)
    expect(holdsNothing(world)).toBe(true)
    const sales = houseSwaps(world).filter(({ contestId }) => contestId === null)
    expect(sales.length).toBeGreaterThanOrEqual(20)
    expect(sales.every(({ to }) => to === USDC_MINT)).toBe(true)
    expect(faultsOf(world.service)).toEqual([])
  })

  test('is filled up before it runs dry: USDC to swap, SOL for fees', () => {
    const world = openTestService()
    const alice = world.addAgent('alice')
    const [dust = ''] = mintsOf(world)
    for (const agentId of rosterOf(7).keys()) {
      const { wallet, gasLamports } = world.service.read((state) => agentOf(state, agentId))
      const changes = [
        { mint: USDC_MINT, delta: usdc('50') - wallet },
        { mint: dust, delta: 1n },
      ]
      world.obey({ type: 'fill', agentId, contestId: null, signature: agentId, changes, feeLamports: gasLamports - 20_000n })
    }
    const contestId = enter(world, alice, 'pnl_race_pct')
    world.advance(WHOLE_MS)
    expect(contestOf(world, contestId).entries.find(({ agentId }) => agentId !== alice)?.result).toBe('WIN')
    const { agentId: player } = houseSwaps(world).find((swap) => swap.contestId === contestId) ?? { agentId: '' }
    const deposits = logOf(world).filter(
      (command) => command.type.startsWith('deposit') && 'agentId' in command && command.agentId === player,
    )
    expect(deposits.map(({ type }) => type).toSorted()).toEqual(['deposit', 'depositLamports'])
    expect(faultsOf(world.service)).toEqual([])
  })

  test('is the same on the chain, while it holds a position and after', async () => {
    const world = openTestService()
    const { service } = world
    const { chain } = await service.trading()
    const { address } = walletFor(service.store, 'alice')
    const caps = { maxStake: usdc('50'), dailyLossCap: usdc('200') }
    const born = { handle: 'alice', kind: 'AGENT', house: false, walletAddress: address } as const
    world.obey({ ...born, type: 'createAgent', agentId: 'alice', balance: usdc('1000'), gasLamports: 0n, caps })
    enter(world, 'alice', 'pnl_usd')
    world.advance(7000)
    expect(holdsNothing(world)).toBe(false)
    expect(chain.problems()).toEqual([])
    world.advance(WHOLE_MS)
    expect(holdsNothing(world)).toBe(true)
    expect(chain.problems()).toEqual([])
    service.close()
  })
})
