import { setImmediate as nextTurn } from 'node:timers/promises'
import { Keypair } from '@solana/web3.js'
import { Subject } from 'rxjs'
import { VirtualClock } from '../../../src/core/clock.ts'
import { keyedUuid } from '../../../src/core/ids.ts'
import { TOKENS } from '../../../src/core/tokens.ts'
import { usdc } from '../../../src/core/usdc.ts'
import { ServiceClock, SiblingBus } from '../../../src/live/index.ts'
import { type OperatorCommand, PriceBook } from '../../../src/pipeline/index.ts'
import { issueAgentKey } from '../../../src/sandbox/agentKey.ts'
import { openTestService } from '../sandbox/openTestService.ts'
import { SimulatedChain } from './chain.ts'
import { SimulatedMachine } from './machine.ts'
import { SimulatedNetwork } from './network.ts'
import { type Death, type Scenario, type Span, TIMEOUT_MS } from './scenario.ts'
import { SimulatedBot, type SimulatedProcess } from './simulatedBot.ts'

const PRICES_EVERY_MS = 1000
/** Turns of the loop in which what waits for no time comes to rest. */
const TURNS = 3
/** So long a drain may take on a sound network: contests of two minutes, and what an unknown outcome takes to be settled. */
const DRAIN_MS = 20 * 60_000

export class Simulation {
  readonly scenario: Scenario
  readonly clock: VirtualClock
  readonly service: ReturnType<typeof openTestService>['service']
  readonly network: SimulatedNetwork
  readonly chain: SimulatedChain
  readonly bots: readonly SimulatedBot[]
  /** When the bots were dead or asleep, or the service could not be reached, in Unix milliseconds. */
  readonly absences: Span[] = []
  readonly startedAt: number
  readonly #machine: SimulatedMachine
  #process: SimulatedProcess | undefined
  #deaths: readonly Death[]

  constructor(scenario: Scenario, folder: string) {
    const { seed, startsAt, bots, faults, machine, skewMs, matchDelayMs } = scenario
    this.scenario = scenario
    this.#deaths = scenario.deaths
    const { clock, service } = openTestService({ seed, matchDelayMs, clock: new VirtualClock(startsAt) })
    this.clock = clock
    this.service = service
    this.startedAt = clock.now()
    const outages = scenario.outages.map((span) => this.#inUnixTime(span))
    this.absences.push(...outages, ...machine.sleeps.map((span) => this.#inUnixTime(span)))
    this.chain = new SimulatedChain({ clock, service, scenario })
    this.network = new SimulatedNetwork({ seed, clock, service, chain: this.chain, faults, outages, timeoutMs: TIMEOUT_MS })
    this.#machine = new SimulatedMachine(clock, { ...machine, skewMs }, this.startedAt)
    this.bots = bots.map((each, index) => {
      const agentId = keyedUuid('simulated agent', seed, index)
      const wallet = Keypair.fromSeed(new Uint8Array(32).fill(index + 3)).publicKey.toBase58()
      const caps = { maxStake: usdc('50'), dailyLossCap: usdc('200') }
      const born = { handle: each.name, kind: 'AGENT', house: false, walletAddress: wallet } as const
      service.dispatch({ type: 'createAgent', agentId, ...born, balance: usdc('100'), gasLamports: 1_000_000_000n, caps })
      this.chain.admit(agentId, wallet)
      const key = issueAgentKey()
      service.store.setKey(agentId, key)
      return new SimulatedBot({
        ...{
          scenario: each,
          agentId,
          key: key.key,
          network: this.network,
          chain: this.chain,
          machine: this.#machine,
          folder,
          timeoutMs: TIMEOUT_MS,
        },
        onDeath: () => this.#die(),
      })
    })
  }

  async play(): Promise<void> {
    const { scenario, startedAt } = this
    this.#begin()
    for (const { afterMs, command, bot } of commandsOf(scenario)) this.clock.at(startedAt + afterMs, () => this.#say(bot, command))
    this.#awaitDeath()
    this.#tellPrices()
    await this.#until(startedAt + scenario.playMs, () => false)
    this.network.heal()
    this.chain.heal()
    this.#deaths = []
    for (const bot of this.bots.keys()) {
      this.#say(bot, 'resume')
      this.#say(bot, 'drain')
    }
    await this.#until(this.clock.now() + DRAIN_MS, () => this.bots.every(({ end }) => end !== undefined))
  }

  close(): void {
    for (const bot of this.bots) bot.close()
    this.service.close()
  }

  async #until(endAt: number, isOver: () => boolean): Promise<void> {
    while (this.clock.now() < endAt && !isOver()) {
      this.clock.advanceTo(Math.min(this.clock.nextAt(), endAt))
      for (let turn = 0; turn < TURNS; turn++) await nextTurn()
    }
  }

  /** Nobody says anything to a machine that is asleep. */
  #say(bot: number, command: OperatorCommand): void {
    const awake = this.#machine.awake()
    if (awake === undefined) this.bots[bot]?.say(command)
    else void awake.then(() => this.bots[bot]?.say(command))
  }

  #begin(): void {
    this.#process = {
      ...{ clock: new ServiceClock(this.#machine.steady, { machine: this.#machine.wall }), siblings: new SiblingBus() },
      market: { book: new PriceBook(), tick$: new Subject() },
    }
    for (const bot of this.bots) if (bot.end === undefined) bot.start(this.#process)
  }

  /** One death after the other: the next one waits until this one has come. */
  #awaitDeath(): void {
    const [death] = this.#deaths
    if (death === undefined) return
    this.clock.at(Math.max(this.clock.now(), this.startedAt + death.afterMs), () => {
      if (this.#deaths[0] !== death) return
      const { at } = death
      if (at === 'at once') this.#die()
      else for (const bot of this.bots) bot.doom(at)
    })
  }

  #die(): void {
    const [death, ...later] = this.#deaths
    this.#deaths = later
    for (const bot of this.bots) bot.die()
    this.#process = undefined
    const backAt = this.clock.now() + (death?.downMs ?? 0)
    this.absences.push({ from: this.clock.now(), to: backAt })
    this.clock.at(backAt, () => {
      this.#begin()
      this.#awaitDeath()
    })
  }

  #tellPrices(): void {
    const { priceOutages } = this.scenario
    const silent = priceOutages.map((span) => this.#inUnixTime(span))
    const tell = () => {
      const now = this.clock.now()
      if (this.#process !== undefined && !this.#machine.isAsleep && !silent.some(({ from, to }) => now >= from && now < to)) {
        const prices = TOKENS.flatMap(({ mint }) => {
          const price = this.service.priceAt(mint, now)
          return price === null ? [] : [[mint, price] as const]
        })
        const { clock, market } = this.#process
        market.tick$.next(market.book.append({ at: clock.now(), prices: new Map(prices) }))
      }
      this.clock.at(now + PRICES_EVERY_MS, tell)
    }
    tell()
  }

  #inUnixTime({ from, to }: Span): Span {
    return { from: this.startedAt + from, to: this.startedAt + to }
  }
}

const commandsOf = ({ bots }: Scenario) => bots.flatMap(({ commands }, bot) => commands.map((each) => ({ ...each, bot })))
