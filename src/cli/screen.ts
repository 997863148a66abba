import { styleText } from 'node:util'
import { createLogUpdate } from 'log-update'
import type { Subscription } from 'rxjs'
import { symbolOf } from '../core/tokens.ts'
import { formatUsdc } from '../core/usdc.ts'
import { isActive, statsOf } from '../pipeline/index.ts'
import { formatDuration } from './duration.ts'
import type { Fleet, FleetBot } from './fleet.ts'
import type { LogSink } from './log.ts'

const REDRAW_MS = 250
const LAST_RESULTS = 8

type Style = Parameters<typeof styleText>[0]

/** The live status on a terminal: redrawn in place, with the log above it. */
export class Screen implements LogSink {
  readonly #update = createLogUpdate(process.stderr)
  readonly #results = new Map<string, string[]>()
  #fleet: Fleet | undefined
  #timer: NodeJS.Timeout | undefined
  #subscription: Subscription | undefined

  /** Writes log lines above the status. */
  write(text: string): void {
    this.#update.clear()
    process.stderr.write(text)
    this.#draw()
  }

  show(fleet: Fleet): void {
    this.#fleet = fleet
    this.#subscription = fleet.change$.subscribe(({ bot, step }) => {
      if (step?.input.type !== 'event' || step.input.recorded || !step.input.read.ok) return
      const { event } = step.input.read
      if (event.type !== 'contest.settled') return
      const results = this.#results.get(bot.name) ?? []
      this.#results.set(bot.name, [...results, event.data.result].slice(-LAST_RESULTS))
    })
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS)
    this.#draw()
  }

  /** Leaves the last status standing. */
  close(): void {
    clearInterval(this.#timer)
    this.#subscription?.unsubscribe()
    this.#draw()
    this.#update.done()
    this.#fleet = undefined
  }

  #draw(): void {
    if (this.#fleet === undefined) return
    this.#update(statusText(this.#fleet.bots, this.#results, Date.now()))
  }
}

const style = (format: Style, text: string) => styleText(format, text, { stream: process.stderr })

/** The status as text: a line for each bot, and one for each of its open contests. */
function statusText(bots: readonly FleetBot[], results: ReadonlyMap<string, readonly string[]>, now: number): string {
  return ['', ...bots.flatMap((bot) => botLines(bot, results.get(bot.name) ?? [], now))].join('\n')
}

function botLines(bot: FleetBot, results: readonly string[], now: number): string[] {
  const status = bot.status()
  const name = style('bold', bot.name.padEnd(10))
  if (status === undefined || bot.phase !== 'running')
    return [`${name} ${bot.phase}${bot.failure === undefined ? '' : `: ${bot.failure.message}`}`]
  const { books, actions } = status
  const { settled, profit } = statsOf(books)
  const bankroll = books.bankroll === undefined ? '…' : formatUsdc(books.bankroll.value.available)
  const money = style(profit < 0n ? 'red' : 'green', `${profit < 0n ? '' : '+'}${formatUsdc(profit)}`)
  const head = `${name} bankroll ${bankroll} USDC  profit ${money}  settled ${settled}  ${results.map(letterOf).join('')}`
  const trouble = [
    ...(books.caughtUp ? [] : ['catching up']),
    ...(books.runMode === 'draining' ? ['draining'] : []),
    ...(actions.unknown > 0 ? [`${actions.unknown} unknown`] : []),
  ]
  const tickets = [...books.tickets.values()].map(
    ({ mode, stake }) => `  ${mode.padEnd(18)} ${formatUsdc(stake).padStart(6)} USDC  waiting for a match`,
  )
  const seats = [...books.seats.values()].filter(isActive).map(({ mode, stake, token, side, phase, startsAt, endsAt }) => {
    const what = [token === undefined ? '' : symbolOf(token), side ?? ''].filter((text) => text !== '').join(' ')
    const startsIn = startsAt === undefined ? 0 : startsAt - now
    const time =
      phase === 'open' ? 'open' : startsIn > 0 ? `starts in ${formatDuration(startsIn)}` : `${formatDuration((endsAt ?? now) - now)} left`
    return `  ${(mode ?? '…').padEnd(18)} ${(stake === undefined ? '…' : formatUsdc(stake)).padStart(6)} USDC  ${what.padEnd(16)} ${time}`
  })
  return [trouble.length === 0 ? head : `${head}  ${style('yellow', trouble.join(', '))}`, ...tickets, ...seats]
}

const LETTERS: Readonly<Record<string, { letter: string; format: Style }>> = {
  WIN: { letter: 'W', format: 'green' },
  LOSS: { letter: 'L', format: 'red' },
  DRAW: { letter: 'D', format: 'yellow' },
  REFUND: { letter: 'R', format: 'gray' },
}

function letterOf(result: string): string {
  const known = LETTERS[result]
  return known === undefined ? '?' : style(known.format, known.letter)
}
