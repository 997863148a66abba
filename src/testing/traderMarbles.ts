import { TestScheduler } from 'rxjs/testing'
import { CornermanError } from '../core/error.ts'
import { show } from '../core/show.ts'
import { USDC_MINT } from '../core/tokens.ts'
import type { SwapIntent } from '../strategy/action.ts'
import type { Trader } from '../strategy/define.ts'
import { TraderUnderTest, type TraderWorld } from './traderUnderTest.ts'

/** The prices that a trader is told, drawn, and what becomes of its swaps. */
export interface TraderMarblesOptions extends TraderWorld {
  /** A character a second: a name of `values` is a price, `-` a second without one, `|` the end of them. Spaces are for the eye. */
  readonly prices: string
  /** By name, prices in USD. */
  readonly values: Readonly<Record<string, number>>
  /**
   * What becomes of the swaps, in the order in which they are asked for: `f` filled at the price of the moment, `r` refused by
   * the guard, `x` failed, `.` nothing yet. Those after the last are filled.
   */
  readonly outcomes?: string
}

/** The swaps that a trader asked for, drawn, and what it holds. */
export interface TraderMarbles {
  /**
   * What was asked for, by seconds: `b` a purchase with USDC, `s` a sale for USDC, `t` a swap of two other tokens, `(bs)`
   * several of one moment, `|` the end of the trader's stream.
   */
  readonly swaps: string
  /** The same as swaps. */
  readonly asked: readonly SwapIntent[]
  /** Base units of the token that it holds at the end. */
  readonly held: bigint
}

/** Of RxJS's marbles: the time of a character. */
const FRAME = TestScheduler.frameTimeFactor

/**
 * Plays a trader on prices that are drawn as marbles, a character a second, and draws what it asked for beneath them.
 *
 * @throws CornermanError `MARBLES_INVALID` for a name without a value, two prices of one moment, or an outcome that there is not
 * @example
 * const { swaps } = traderMarbles(breakout({ channelSec: 3, stopSec: 2 }), {
 *   history: [100, 101, 100],
 *   prices: 'a-b-c|',
 *   values: { a: 100, b: 102, c: 99 },
 * })
 * expect(swaps).toBe('--b-s|')
 */
export function traderMarbles(strategy: Trader, { prices, values, outcomes = '', ...world }: TraderMarblesOptions): TraderMarbles {
  const trader = new TraderUnderTest(strategy, world)
  const fates = fatesOf(trader, outcomes)
  const { told, seconds, ends } = read(prices, values)
  let drawn = ''
  let settled = 0
  let isOver = false
  for (let second = 0; second < seconds && !isOver; second++) {
    // What is asked for before any price is of the first moment.
    const before = second === 0 ? 0 : trader.swaps.length
    if (second > 0) trader.wait(1)
    const price = told.get(second)
    if (price !== undefined) trader.price(price)
    if (ends && second === seconds - 1) trader.end()
    // What became of a swap can lead to the next one, at the same moment.
    for (; settled < trader.swaps.length; settled++) fates(settled)
    isOver = trader.ended
    drawn = draw(drawn, second, trader.swaps.slice(before), isOver)
  }
  return { swaps: drawn, asked: trader.swaps, held: trader.held() }
}

function read(marbles: string, values: Readonly<Record<string, number>>) {
  const told = new Map<number, number>()
  const text = marbles.replaceAll(/\s/g, '')
  let ends = false
  for (const { frame, notification } of TestScheduler.parseMarbles(text)) {
    if (notification.kind === 'C') ends = true
    if (notification.kind !== 'N') continue
    const name = String(notification.value)
    const price = values[name]
    if (price === undefined) throw invalid(`prices = ${show(marbles)}: values has no ${name}`)
    if (told.has(frame / FRAME)) throw invalid(`prices = ${show(marbles)}: a moment has one price`)
    told.set(frame / FRAME, price)
  }
  return { told, seconds: text.length, ends }
}

function fatesOf(trader: TraderUnderTest, outcomes: string): (index: number) => void {
  const fates: Readonly<Record<string, () => void>> = {
    f: () => trader.fill(),
    r: () => trader.refuse(),
    x: () => trader.fail(),
    '.': () => {},
  }
  const odd = [...outcomes].find((name) => !(name in fates))
  if (odd !== undefined) throw invalid(`outcomes = ${show(outcomes)}: ${odd} is none of f, r, x and .`)
  return (index) => fates[outcomes[index] ?? 'f']?.()
}

/** The drawing with one second more. A group takes the place of the seconds after it, as RxJS reads it. */
function draw(drawn: string, second: number, swaps: readonly SwapIntent[], isOver: boolean): string {
  const marks = `${swaps.map(markOf).join('')}${isOver ? '|' : ''}`
  if (marks === '') return drawn.length > second ? drawn : `${drawn}-`
  return `${drawn}${marks.length === 1 ? marks : `(${marks})`}`
}

const markOf = ({ from, to }: SwapIntent): string => (from === USDC_MINT ? 'b' : to === USDC_MINT ? 's' : 't')

const invalid = (message: string) => new CornermanError('MARBLES_INVALID', message)
