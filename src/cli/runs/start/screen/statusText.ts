import sliceAnsi from 'slice-ansi'
import { symbolOf } from '../../../../core/tokens.ts'
import { formatUsdc, type Usdc } from '../../../../core/usdc.ts'
import type { BotRow, FleetView, Micro, OpenRow } from '../../../../dashboard/index.ts'
import { SEVERITIES, type Severity } from '../../../../strategy/alertConfig.ts'
import { formatDuration } from '../../../duration.ts'
import { stateText } from '../stateText.ts'
import { type Cell, columnsOf } from './columns.ts'
import type { Look } from './look.ts'

export interface Shown {
  readonly view: FleetView
  /** Of the page. */
  readonly address: string | undefined
  readonly runsForMs: number
  /** The newest of the log, oldest first. */
  readonly messages: readonly string[]
  /** Of the window, in characters. */
  readonly columns: number
  readonly rows: number
}

/** A blank line and the cursor's. */
const MARGIN_ROWS = 3
const MOST_OPEN = 6
/** Of the log, where there are so many: the rest of it has what the bots leave of the window. */
const LEAST_MESSAGES = 4
/** A smaller window has no room for what one knows already. */
const ROWS_WITH_HINTS = 16
const MICRO_PER_CENT = 10_000n
const UNKNOWN = '…'

/** The status as text: what needs the owner first, never more lines than the window has, never a line that wraps. */
export function statusText({ view, address, runsForMs, messages, columns, rows }: Shown, look: Look): string {
  const where = [view.service, ...(view.isDryRun ? ['dry run'] : []), formatDuration(runsForMs)]
  const width = Math.max(20, columns - 1)
  const head = [
    '',
    `${look.strong('cornerman')}  ${look.faint(where.join('  ·  '))}`,
    ...linesOfAddress(address, width).map(look.faint),
    '',
  ]
  const hints = rows < ROWS_WITH_HINTS ? [] : ['', ...hintsOf(view).map(look.faint)]
  const leastMessages = Math.min(LEAST_MESSAGES, messages.length)
  const bots = view.bots.toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity))
  const taken = MARGIN_ROWS + head.length + 1 + hints.length
  const room = Math.max(1, rows - taken - (leastMessages === 0 ? 0 : 1 + leastMessages))
  const count = bots.length <= room ? bots.length : Math.max(1, room - 1)
  const [titles = '', ...lines] = columnsOf([TITLES, ...bots.slice(0, count).map((bot) => cellsOf(bot, view.at, look))])
  // A bot takes a line; its troubles and its open contests more, those of the worst first, as far as there is room.
  let left = room - count - (count < bots.length ? 1 : 0)
  const body = lines.flatMap((line, index) => {
    const bot = bots[index]
    const details = bot === undefined ? [] : [...troubleLines(bot, look), ...openLines(bot, view.at, look)]
    if (details.length > left) return [line]
    left -= details.length
    return [line, ...details]
  })
  // What is left of the window is the log's.
  const newest = messages.slice(messages.length - Math.min(messages.length, leastMessages + Math.max(0, left)))
  const foot = newest.length === 0 ? [] : ['', ...newest]
  const rest = bots.length - count
  const more =
    rest === 0
      ? []
      : [
          look.faint(
            `and ${rest} more, ${bots.slice(count).some(({ severity }) => severity !== undefined) ? 'some with troubles' : 'all well'}`,
          ),
        ]
  return [...head, look.faint(titles), ...body, ...more, ...hints, ...foot].map((line) => sliceAnsi(line, 0, width)).join('\n')
}

/** What the figures mean, and how to leave. */
function hintsOf({ bots }: FleetView): string[] {
  const isDraining = bots.some((bot) => bot.isDraining)
  return [
    'today: lost, in play and reserved, of guard.dailyLoss; a new day begins at 00:00 UTC',
    isDraining
      ? 'draining: it ends once what is open is finished, within 2 minutes. Ctrl-C again, where it drains by itself twice, ends it at once; the next start takes up what is open'
      : 'Ctrl-C: enters nothing more, finishes what is open, and ends',
  ]
}

/** Whole, since its end is what lets the browser in: on a line of its own, or on as many as it takes. */
function linesOfAddress(address = '', width: number): string[] {
  return Array.from({ length: Math.ceil(address.length / width) }, (_, line) => address.slice(line * width, (line + 1) * width))
}

const right = (text: string): Cell => ({ text, align: 'right' })

const TITLES: readonly Cell[] = [
  ...['bot', 'state'].map((text) => ({ text })),
  ...['equity', 'bankroll', 'profit', 'today', 'open', 'settled'].map(right),
  { text: 'last' },
  right('events'),
]

/** The worst first; where nothing is wrong, last. */
const rankOf = (severity: Severity | undefined): number => (severity === undefined ? 1 : -SEVERITIES.indexOf(severity))

function cellsOf(bot: BotRow, at: number, look: Look): Cell[] {
  return [
    { text: look.strong(bot.name) },
    { text: stateOf(bot, look) },
    right(equityOf(bot)),
    right(bot.bankroll === undefined ? UNKNOWN : usdc(bot.bankroll)),
    right(profitOf(bot, look)),
    right(todayOf(bot, look)),
    right(String(bot.open.length)),
    right(String(bot.settled ?? UNKNOWN)),
    {
      text: bot.lastResults
        .slice(-8)
        .map((result) => LETTERS[result](look))
        .join(''),
    },
    right(lagOf(bot, at, look)),
  ]
}

/** To the cent, towards zero: the rest is for reports. */
const cents = (amount: Usdc): string => formatUsdc((amount / MICRO_PER_CENT) * MICRO_PER_CENT)
const usdc = (micro: Micro): string => cents(BigInt(micro))

/** To the last digit, as the page and the report have it; what is in no sum is said. */
const equityOf = ({ equity, unpriced }: BotRow): string =>
  equity === undefined ? UNKNOWN : `${formatUsdc(BigInt(equity))}${unpriced === 0 ? '' : ` + ${unpriced} unpriced`}`

const LOOKS: Readonly<Partial<Record<ReturnType<typeof stateText>, keyof Look>>> = {
  stopped: 'bad',
  starting: 'faint',
  drained: 'faint',
  'kill switch': 'bad',
  'no entries': 'warn',
  'not played': 'bad',
  'no word of it': 'warn',
  draining: 'warn',
  'catching up': 'warn',
}

function stateOf(row: BotRow, look: Look): string {
  const state = stateText(row)
  const shade = LOOKS[state]
  return shade === undefined ? state : look[shade](state)
}

function profitOf({ profit }: BotRow, { bad, good }: Look): string {
  if (profit === undefined) return UNKNOWN
  return BigInt(profit) < 0n ? bad(usdc(profit)) : good(`+${usdc(profit)}`)
}

/** What the day has cost and may still cost, of the bot's own cap. */
function todayOf({ today: { lost, inPlay, reserved, cap } }: BotRow, look: Look): string {
  if (lost === undefined) return `${UNKNOWN}/${usdc(cap)}`
  const used = BigInt(lost) + BigInt(inPlay ?? 0) + BigInt(reserved ?? 0)
  const text = `${cents(used)}/${usdc(cap)}`
  return used * 10n >= BigInt(cap) * 8n && BigInt(lost) > 0n ? look.warn(text) : text
}

function lagOf({ phase, stream: { state, readAt } }: BotRow, at: number, look: Look): string {
  if (phase !== 'running' || readAt === undefined) return UNKNOWN
  const ago = `${formatDuration(at - readAt)} ago`
  return state === 'current' ? look.faint(ago) : look.bad(ago)
}

const LETTERS: Readonly<Record<'WIN' | 'LOSS' | 'DRAW' | 'REFUND', (look: Look) => string>> = {
  WIN: ({ good }) => good('W'),
  LOSS: ({ bad }) => bad('L'),
  DRAW: ({ warn }) => warn('D'),
  REFUND: ({ faint }) => faint('R'),
}

const troubleLines = ({ troubles }: BotRow, { bad, warn, faint }: Look): string[] =>
  troubles.map(({ severity, message }) => `  ${({ alarm: bad, warn, info: faint })[severity](`! ${message}`)}`)

function openLines({ open }: BotRow, at: number, look: Look): string[] {
  const shown = open.slice(0, MOST_OPEN).map((one) => look.faint(`  ${openText(one, at)}`))
  return open.length <= MOST_OPEN ? shown : [...shown, look.faint(`  and ${open.length - MOST_OPEN} more`)]
}

function openText({ kind, mode, stake, token, side, phase, startsAt, endsAt }: OpenRow, at: number): string {
  const what = [token === undefined ? '' : symbolOf(token), side ?? ''].filter((text) => text !== '').join(' ')
  const startsInMs = (startsAt ?? 0) - at
  const time =
    kind === 'ticket'
      ? 'waiting for a match'
      : phase === 'open'
        ? 'open'
        : startsInMs > 0
          ? `starts in ${formatDuration(startsInMs)}`
          : `${formatDuration((endsAt ?? at) - at)} left`
  return `${(mode ?? UNKNOWN).padEnd(18)} ${(stake === undefined ? UNKNOWN : usdc(stake)).padStart(6)} USDC  ${what.padEnd(14)} ${time}`
}
