import { CornermanError } from './error.ts'
import { memoize } from './memoize.ts'
import { show } from './show.ts'

/**
 * A price in USD as decimal text. Prices stay text at the edge and in everything that decides about
 * money; they become numbers only inside indicators.
 */
export type Price = string

/** Decimals of the integer that `scalePrice` returns: enough for a token worth 10⁻¹² USD. */
export const PRICE_SCALE_DIGITS = 18

const DECIMAL = /^\d{1,30}(?:\.\d{1,18})?$/
const NOT_ZERO = /[1-9]/
/** No zero too many on either side. */
const CANONICAL = /^(?:0|[1-9]\d{0,29})(?:\.\d{0,17}[1-9])?$/
const ZERO = '0'.charCodeAt(0)

/**
 * Puts a price in the canonical form the service hashes: no leading zeros, no trailing zeros after
 * the decimal point, no bare point (specification, part 4, prediction rule 2).
 *
 * @throws CornermanError `PRICE_INVALID` when the text is not a non-negative decimal of at most 30
 *   digits before and 18 after the point. Signs, exponents, spaces and separators are not accepted.
 * @example canonicalPrice('0187.2500') // '187.25'
 */
export function canonicalPrice(price: string): Price {
  if (typeof price === 'string' && CANONICAL.test(price)) return price
  const { whole, fraction } = parse(price)
  return trimmed(whole.replace(/^0+(?=\d)/, ''), fraction)
}

/** Without the zeros at the end. */
function trimmed(integer: string, fraction: string): Price {
  let end = fraction.length
  while (end > 0 && fraction.charCodeAt(end - 1) === ZERO) end--
  return end === 0 ? integer : `${integer}.${fraction.slice(0, end)}`
}

/**
 * A price as an exact integer of 10⁻¹⁸ USD, for comparing and averaging without rounding. The newest is kept, since a price of an
 * instant is asked for by every rule, contest and fill of that instant.
 */
export function scalePrice(price: string): bigint {
  if (price === newest.price) return newest.scaled
  const scaled = scaleShort(price) ?? scaleLong(price)
  newest = { price, scaled }
  return scaled
}

let newest = { price: '0', scaled: 0n }

const scaleLong: (price: string) => bigint = memoize((price) => {
  const { whole, fraction } = parse(price)
  return BigInt(whole + fraction) * (TENS[PRICE_SCALE_DIGITS - fraction.length] ?? 1n)
}, 512)

/** Of a decimal integer that a number holds exactly, whatever they are. */
const EXACT_DIGITS = 15

/** Digit by digit, which takes a quarter of the time: a price of so few digits, as nearly every one is; undefined for anything else. */
function scaleShort(price: string): bigint | undefined {
  if (typeof price !== 'string' || price.length > EXACT_DIGITS) return undefined
  let unscaled = 0
  let point = -1
  for (let index = 0; index < price.length; index++) {
    const digit = price.charCodeAt(index) - ZERO
    if (digit >= 0 && digit <= 9) unscaled = unscaled * 10 + digit
    else if (digit === POINT && point < 0 && index > 0) point = index
    else return undefined
  }
  const decimals = point < 0 ? 0 : price.length - point - 1
  if (price.length === 0 || (point > 0 && decimals === 0)) return undefined
  return BigInt(unscaled) * (TENS[PRICE_SCALE_DIGITS - decimals] ?? 1n)
}

/** From '0'. */
const POINT = '.'.charCodeAt(0) - '0'.charCodeAt(0)

/** 10 to the power of the index. */
const TENS = Array.from({ length: PRICE_SCALE_DIGITS + 1 }, (_, power) => 10n ** BigInt(power))

/** Whether this is a price, and above 0: for the many of a long log, of which no integer is made. */
export const isPriceAboveZero = (value: unknown): value is Price => typeof value === 'string' && DECIMAL.test(value) && NOT_ZERO.test(value)

export const isZeroPrice = (price: string): boolean => scalePrice(price) === 0n

/** The canonical price of an integer of 10⁻¹⁸ USD: the way back from `scalePrice`. */
export function unscalePrice(value: bigint): Price {
  const digits = value.toString().padStart(PRICE_SCALE_DIGITS + 1, '0')
  return canonicalPrice(`${digits.slice(0, -PRICE_SCALE_DIGITS)}.${digits.slice(-PRICE_SCALE_DIGITS)}`)
}

/**
 * The canonical price nearest to a number, with this many significant digits; digits before the point are all kept.
 *
 * @throws CornermanError `PRICE_INVALID` below 10⁻¹⁸ and from 10²¹ on: a price text does not hold that, and it is never rounded to 0
 * @example priceFromNumber(187.123456789) // '187.123457'
 */
export function priceFromNumber(value: number, significantDigits = 9): Price {
  if (!(value >= 1e-18 && value < 1e21)) {
    throw new CornermanError('PRICE_INVALID', `${value} is not a price: it must be a number from 1e-18 to below 1e21`, {
      details: { value },
    })
  }
  const exponent = Math.floor(Math.log10(value))
  const decimals = Math.min(PRICE_SCALE_DIGITS, Math.max(0, significantDigits - 1 - exponent))
  const text = value.toFixed(decimals)
  return decimals === 0 ? text : trimmed(text.slice(0, -decimals - 1), text.slice(-decimals))
}

function parse(price: string): { whole: string; fraction: string } {
  if (typeof price !== 'string' || !DECIMAL.test(price)) {
    throw new CornermanError(
      'PRICE_INVALID',
      `${show(price)} is not a price: it must be decimal text such as '187.25', with at most 30 digits before the point and 18 after`,
      { details: { price } },
    )
  }
  const point = price.indexOf('.')
  return point < 0 ? { whole: price, fraction: '' } : { whole: price.slice(0, point), fraction: price.slice(point + 1) }
}
