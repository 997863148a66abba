import { isPlayedBy, isTradingMode, MODE_TRAITS, MODES, type Mode } from '../contract/modes.ts'
import { compileShapes } from '../contract/shapes/compile.ts'
import { lackingIn, nameOf, needsOf, type Shapes } from '../contract/shapes/shapes.ts'
import { formatUsdc, type Usdc, usdc } from '../core/usdc.ts'
import { type Exchange, outputOf } from './exchange.ts'

// What the paid stage of a probe will play, and the most that it can cost: known before anything is sent.

/** Of one purchase in a contest of swaps, where nobody says. */
export const SWAP = usdc('1')
/** Of a mode whose contests nobody listed. */
const DURATION_SEC = 30
/** Those that show most, and cost least to read, come first: how they are played, and of those played alike the ones about a token, to their end. */
const ORDER = ['side', 'picks', 'sealedPrice', 'swaps'] as const
const IN_ORDER: readonly Mode[] = ORDER.flatMap((how) => {
  const shows = (mode: Mode) => (MODE_TRAITS[mode].needsToken ? 2 : 0) + (MODE_TRAITS[mode].endsEarly === false ? 1 : 0)
  return MODES.filter((mode) => isPlayedBy(mode, how)).toSorted((a, b) => shows(b) - shows(a))
})

/** One contest that is to be entered. */
export interface PlannedEntry {
  readonly mode: Mode
  readonly stake: Usdc
  readonly durationSec: number
  /** The most that its swaps may leave in the wallet as tokens; 0 of a mode without. */
  readonly swaps: Usdc
}

export interface PlanOptions {
  readonly exchanges: readonly Exchange[]
  readonly shapes: Shapes
  /** The modes asked for; undefined: those that cannot be played by the mapping yet. */
  readonly modes: readonly Mode[] | undefined
  /** Modes that the bot may enter. */
  readonly allowed: readonly Mode[]
  /** Where no open contest of a mode was seen. */
  readonly stake: Usdc | undefined
  readonly durationSec: number | undefined
  /** Of one purchase in a contest of swaps. */
  readonly swap: Usdc
}

/** @returns the entries in their order, and the modes of which nobody knows what to stake */
export function planOf({ exchanges, shapes, modes, allowed, stake, durationSec, swap }: PlanOptions): {
  readonly entries: readonly PlannedEntry[]
  readonly withoutStake: readonly Mode[]
} {
  const lacking = lackingIn(shapes)
  const wanted = (modes ?? MODES.filter((mode) => lacking.has(mode))).filter((mode) => allowed.includes(mode))
  const inOrder = IN_ORDER.filter((mode) => wanted.includes(mode))
  const order = modes === undefined ? withoutShown(inOrder) : inOrder
  const open = openContests(exchanges, shapes)
  const entries: PlannedEntry[] = []
  const withoutStake: Mode[] = []
  for (const mode of order) {
    const seen = open.filter((contest) => contest.mode === mode)
    const smallest = smallestOf(seen.map((contest) => contest.stake)) ?? stake
    if (smallest === undefined) withoutStake.push(mode)
    else
      entries.push({
        ...{ mode, stake: stake !== undefined && stake < smallest ? stake : smallest },
        durationSec: durationSec ?? shortestOf(seen.map((contest) => contest.durationSec)) ?? DURATION_SEC,
        swaps: isTradingMode(mode) ? swap : 0n,
      })
  }
  return { entries, withoutStake }
}

/** The most that a plan can cost, in micro-USDC. */
export const boundOf = (entries: readonly PlannedEntry[]): Usdc => entries.reduce((sum, { stake, swaps }) => sum + stake + swaps, 0n)

/** The bound, a line a mode. */
export function boundLines(entries: readonly PlannedEntry[], { solFees }: { readonly solFees: string }): string[] {
  const lines = entries.map(({ mode, stake, swaps, durationSec }) => {
    const swapped = swaps === 0n ? '' : ` + swaps ${formatUsdc(swaps)} (what cannot be sold again stays in the wallet as tokens)`
    return `  ${mode.padEnd(18)} stake ${formatUsdc(stake)}${swapped}, ${durationSec} s`
  })
  return [...lines, `  at most ${formatUsdc(boundOf(entries))} USDC in all, and ${solFees} SOL of fees`]
}

/** Without those of which others show all that they need. */
function withoutShown(modes: readonly Mode[]): readonly Mode[] {
  const shown = new Set<string>()
  return modes.filter((mode) => {
    const names = needsOf(mode).map(nameOf)
    const isShown = names.every((name) => shown.has(name))
    for (const name of names) shown.add(name)
    return !isShown
  })
}

interface SeenOpen {
  readonly mode: string
  readonly stake: Usdc
  readonly durationSec: number | undefined
}

/** Contests that were listed as open, as far as the mapping reads them. */
function openContests(exchanges: readonly Exchange[], shapes: Shapes): readonly SeenOpen[] {
  const compiled = compileShapes(shapes)
  const context = { ids: {}, now: 0, beside: new Map() }
  const lists = exchanges.filter(
    ({ procedure, input }) => procedure === 'agent.contests.list' && (input as { readonly status?: unknown } | null)?.status === 'open',
  )
  return lists.flatMap((exchange) =>
    (compiled.list('open', outputOf(exchange)) ?? []).flatMap((item) => {
      const { mode, stake, durationSec } = compiled.listed(item, context).record
      const isWhole = typeof mode === 'string' && typeof stake === 'string' && /^\d{1,24}$/.test(stake) && BigInt(stake) > 0n
      return isWhole ? [{ mode, stake: BigInt(stake), durationSec: typeof durationSec === 'number' ? durationSec : undefined }] : []
    }),
  )
}

function smallestOf(stakes: readonly Usdc[]): Usdc | undefined {
  return stakes.reduce<Usdc | undefined>((least, stake) => (least === undefined || stake < least ? stake : least), undefined)
}

function shortestOf(durations: readonly (number | undefined)[]): number | undefined {
  const known = durations.filter((duration) => duration !== undefined && Number.isInteger(duration) && duration > 0) as number[]
  return known.length === 0 ? undefined : Math.min(...known)
}
