import { PRICE_SCALE_DIGITS, type Price } from '../../../core/price.ts'

/** Of a price in the log, before its point. */
const MOST_WHOLE = 30
const NUMBER = /^\+?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/
/** As the log has them: nothing is to be done. */
const PLAIN = /^(?:0|[1-9]\d{0,29})(?:\.\d{0,17}[1-9])?$/
const LEADING_ZEROS = /^0+/
const TRAILING_ZEROS = /0+$/
/** What spreadsheets and languages write where there is no number. */
const NO_NUMBER = /^(?:[+-]?nan|null|none|n\/?a|-|[+-]?inf(?:inity)?)$/i
const DECIMAL_COMMA = /^-?\d+(?:\.\d{3})*,\d+$/

/** A cell's price, or why it has none: the rest of a sentence. */
export type CellPrice = { readonly price: Price; readonly isRounded?: true } | { readonly problem: string }

export interface PriceCell {
  /** The price is of 10 to this power of tokens: 3 in `kBONK`. */
  readonly power?: number
  /** A price with more decimals than a log holds is rounded, and not refused. */
  readonly mayRound?: boolean
}

/** Reads a price to its last digit, with an exponent or without; it is never a float on the way. */
export function exactPrice(text: string, { power = 0, mayRound = false }: PriceCell = {}): CellPrice {
  if (power === 0 && PLAIN.test(text) && text !== '0') return { price: text }
  const match = NUMBER.exec(text)
  const [, whole = '', fraction = '', exponent = '0'] = match ?? []
  if (match === null || whole + fraction === '') return { problem: problemOf(text) }
  const digits = (whole + fraction).replace(LEADING_ZEROS, '')
  if (digits === '') return { problem: `the price is ${text}, it must be above 0` }
  return placed(digits, Number(exponent) - fraction.length - power, { text, mayRound })
}

/** The price of `digits × 10^exponent`. */
function placed(digits: string, exponent: number, { text, mayRound }: { readonly text: string; readonly mayRound: boolean }): CellPrice {
  const significant = digits.replace(TRAILING_ZEROS, '')
  const decimals = -(exponent + digits.length - significant.length)
  if (significant.length - decimals > MOST_WHOLE) return { problem: `${text} has more than ${MOST_WHOLE} digits before its point` }
  if (decimals <= 0) return { price: significant + '0'.repeat(-decimals) }
  if (decimals > PRICE_SCALE_DIGITS) return mayRound ? rounded(significant, decimals, text) : { problem: tooFine(text, decimals) }
  const padded = significant.padStart(decimals + 1, '0')
  return { price: `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}` }
}

/** Half away from zero. */
function rounded(digits: string, decimals: number, text: string): CellPrice {
  const excess = decimals - PRICE_SCALE_DIGITS
  const kept = digits.length > excess ? BigInt(digits.slice(0, -excess)) : 0n
  const next = digits.padStart(excess, '0').at(-excess) ?? '0'
  const scaled = (kept + (next >= '5' && digits.length >= excess ? 1n : 0n)).toString()
  if (scaled === '0') return { problem: `the price is ${text}, which is 0 to the ${PRICE_SCALE_DIGITS} decimals that a log holds` }
  const result = placed(scaled, -PRICE_SCALE_DIGITS, { text, mayRound: false })
  return 'price' in result ? { ...result, isRounded: true } : result
}

const tooFine = (text: string, decimals: number): string =>
  `${text} has ${decimals} decimals, a log holds ${PRICE_SCALE_DIGITS}; --round rounds such prices, and counts them`

function problemOf(text: string): string {
  const shown = JSON.stringify(text)
  if (NO_NUMBER.test(text)) return `${shown} is no price; leave the cell empty, or the row out, where there is none: it is kept as a hole`
  if (DECIMAL_COMMA.test(text)) return `${shown} has a decimal comma, which may as well part thousands: write it with a point, as in 187.25`
  if (text.startsWith('-')) return `the price is ${text}, it must be above 0`
  return `${shown} is not a price: write decimal text such as 187.25 or 3.49e-5`
}
