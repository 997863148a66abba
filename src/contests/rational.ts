import { PRICE_SCALE_DIGITS } from '../core/price.ts'

const SCALE = 10n ** BigInt(PRICE_SCALE_DIGITS)

/** An exact fraction; `den` is above 0. Scores are compared as these, never as floats. */
export interface Rational {
  readonly num: bigint
  readonly den: bigint
}

export const rational = (num: bigint, den: bigint): Rational => ({ num, den })

/** Negative when `a` is smaller, 0 when they are equal, positive when `a` is greater. */
export function compareRationals(a: Rational, b: Rational): number {
  const isLike = a.den === b.den
  const left = isLike ? a.num : a.num * b.den
  const right = isLike ? b.num : b.num * a.den
  return left < right ? -1 : left > right ? 1 : 0
}

export function sumRationals(values: readonly Rational[]): Rational {
  return values.reduce((sum, value) => rational(sum.num * value.den + value.num * sum.den, sum.den * value.den), rational(0n, 1n))
}

/** As a number, for what is only compared with one. */
export const rationalNumber = ({ num, den }: Rational): number => Number(num) / Number(den)

/** Decimal text for a person to read: cut after 18 decimals, no trailing zeros. */
export function rationalText({ num, den }: Rational): string {
  if (num === 0n) return '0'
  const scaled = (num * SCALE) / den
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(PRICE_SCALE_DIGITS + 1, '0')
  const point = digits.length - PRICE_SCALE_DIGITS
  let end = digits.length
  while (end > point && digits[end - 1] === '0') end -= 1
  const fraction = end === point ? '' : `.${digits.slice(point, end)}`
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`
}
