import { BrownianBridge, stepVolatility } from '../../core/brownianBridge.ts'
import { type Price, priceFromNumber } from '../../core/price.ts'
import { keyedField, type RandomField } from '../../core/random.ts'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { type PriceFile, type PriceSeries, ROW_SECONDS } from './readPriceFile.ts'

/** Minutes kept in memory, each of one token: enough for every token's present and a few looks back. */
const CACHED_MINUTES = 512

/**
 * Recorded prices as a function of time. Between two recorded minutes the price follows a seeded
 * Brownian bridge on a one-second grid; straight lines there would make following the trend right
 * every time. At the end of the file it starts again, rescaled to join, and the same backwards
 * before its start, so that there is a price at any time.
 */
export interface PriceReplay {
  readonly fingerprint: string
  /** The tokens of the file. USDC, which has no column, is always 1. */
  readonly mints: readonly Mint[]
  /**
   * The price in canonical text, `null` for a token without one.
   *
   * @param elapsedMs since the first row; negative is before it
   */
  at(mint: Mint, elapsedMs: number): Price | null
  /** Standard deviation of the log return over one second, as estimated from the file; `null` without prices. */
  volatilityPerSecond(mint: Mint): number | null
}

/** Replays a file. Equal file, seed and time give equal prices. */
export function createPriceReplay(file: PriceFile, seed: number): PriceReplay {
  const tracks = new Map(file.series.map((series) => [series.mint, createTrack(series, seed)]))
  const minutes = new Map<string, BrownianBridge>()

  const bridge = (track: Track, minute: number): BrownianBridge => {
    const key = `${track.mint}:${minute}`
    const found = minutes.get(key)
    if (found !== undefined) return found
    const oldest = minutes.size < CACHED_MINUTES ? undefined : minutes.keys().next().value
    if (oldest !== undefined) minutes.delete(oldest)
    const made = bridgeOf(track, minute)
    minutes.set(key, made)
    return made
  }

  return {
    fingerprint: file.fingerprint,
    mints: [...tracks.keys()],
    at(mint, elapsedMs) {
      if (mint === USDC_MINT) return '1'
      const track = tracks.get(mint)
      if (track === undefined) return null
      const second = Math.floor(elapsedMs / 1000)
      const minute = Math.floor(second / ROW_SECONDS)
      const step = second - minute * ROW_SECONDS
      if (step === 0) return track.closeText(minute)
      return priceFromNumber(bridge(track, minute).at(step) ?? Number.NaN)
    },
    volatilityPerSecond: (mint) => (mint === USDC_MINT ? 0 : (tracks.get(mint)?.volatilityPerSecond ?? null)),
  }
}

interface Track {
  readonly mint: Mint
  readonly volatilityPerSecond: number
  /** Of its bridges, a row for each minute. */
  readonly random: RandomField
  /** The close at a minute, counted from the first row over every repetition. */
  close(minute: number): number
  closeText(minute: number): Price
}

function createTrack({ mint, closes, values }: PriceSeries, seed: number): Track {
  // The last row of one repetition is the first of the next.
  const rows = values.length - 1
  const first = values[0] ?? Number.NaN
  const growth = (values[rows] ?? Number.NaN) / first
  const close = (minute: number) => {
    const repetition = Math.floor(minute / rows)
    return (values[minute - repetition * rows] ?? Number.NaN) * growth ** repetition
  }
  return {
    mint,
    volatilityPerSecond: stepVolatility(values) / Math.sqrt(ROW_SECONDS),
    random: keyedField(seed, 'bridge', mint),
    close,
    // The first time round, and at the joint, the recorded text itself.
    closeText: (minute) => (minute >= 0 && minute <= rows ? (closes[minute] ?? '') : priceFromNumber(close(minute))),
  }
}

/** Prices at each second from one recorded minute to the next. */
function bridgeOf({ close, volatilityPerSecond: volatility, random }: Track, minute: number): BrownianBridge {
  return new BrownianBridge({ from: close(minute), to: close(minute + 1), steps: ROW_SECONDS, volatility, random, row: minute })
}
