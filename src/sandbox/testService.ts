import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { auditContests, type CommandBody } from '../contests/index.ts'
import { VirtualClock } from '../core/clock.ts'
import { CornermanError } from '../core/error.ts'
import { usdc } from '../core/usdc.ts'
import { createPriceReplay, type PriceReplay } from './prices/priceReplay.ts'
import { DEFAULT_PRICE_FILE, readPriceFile } from './prices/readPriceFile.ts'
import { SandboxService, type SandboxServiceOptions } from './sandboxService.ts'
import { SandboxStore } from './store/sandboxStore.ts'

// For tests: a service on a virtual clock, so that a contest passes in milliseconds.

export const START_MS = Date.parse('2025-03-01T12:00:00Z')

/** The first four hours of the recorded prices: every coin, and read in no time. */
export const SHORT_PRICE_FILE = writeShortPrices()

const prices = readPriceFile(SHORT_PRICE_FILE)

export interface TestServiceOptions extends Partial<Pick<SandboxServiceOptions, 'house' | 'snapshotEvery' | 'matchDelayMs'>> {
  readonly seed?: number
  readonly dbFile?: string
  readonly clock?: VirtualClock
  /** Hears of every price that is asked for: of which instant. */
  readonly onPrice?: (atMs: number) => void
}

export interface TestService {
  readonly clock: VirtualClock
  readonly service: SandboxService
  /** Lets time pass, with every timer on the way. */
  advance(durationMs: number): void
  /** Dispatches a command that is expected to be obeyed. */
  obey(body: CommandBody): { readonly ticketId: string; readonly contestId: string }
  addAgent(agentId: string): string
}

export function openTestService(options: TestServiceOptions = {}): TestService {
  const {
    seed = 7,
    dbFile = ':memory:',
    clock = new VirtualClock(START_MS),
    matchDelayMs = 3000,
    house = true,
    snapshotEvery = 5000,
  } = options
  const recorded = createPriceReplay(prices, seed)
  const replay: PriceReplay = {
    ...recorded,
    at(mint, elapsedMs) {
      options.onPrice?.(store.epochMs + elapsedMs)
      return recorded.at(mint, elapsedMs)
    },
  }
  const store = new SandboxStore(dbFile, { seed, rakeBps: 500, prices: recorded.fingerprint }, clock.now())
  const service = new SandboxService({ clock, store, replay, matchDelayMs, house, snapshotEvery })
  service.start()
  const obey = (body: CommandBody) => {
    const applied = service.dispatch(body)
    if (!applied.ok) throw new CornermanError(applied.refusal.code, applied.refusal.message)
    return { ticketId: applied.ticketId ?? '', contestId: applied.contestId ?? '' }
  }
  return {
    clock,
    service,
    advance: (durationMs) => clock.advanceTo(clock.now() + durationMs),
    obey,
    addAgent(agentId) {
      const caps = { maxStake: usdc('50'), dailyLossCap: usdc('200') }
      const born = { handle: agentId, kind: 'AGENT', house: false, walletAddress: `wallet of ${agentId}` } as const
      obey({ type: 'createAgent', agentId, ...born, balance: usdc('1000'), gasLamports: 0n, caps })
      return agentId
    },
  }
}

function writeShortPrices(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'prices-')), 'short.csv')
  const lines = gunzipSync(readFileSync(DEFAULT_PRICE_FILE)).toString().split('\n')
  writeFileSync(file, lines.slice(0, 242).join('\n'))
  return file
}

/** What is wrong with the books, the log and the house: nothing, in a sound service. */
export function faultsOf(service: SandboxService): unknown[] {
  const audit = service.read(auditContests)
  const { mismatch } = service.verify()
  return [
    ...audit,
    ...(mismatch === null ? [] : [mismatch]),
    ...(service.houseRefusals === 0 ? [] : [`${service.houseRefusals} acts of the house were refused`]),
  ]
}
