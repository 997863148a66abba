import { type Rational, rational } from '../rational.ts'
import type { Entry } from '../types.ts'

const SCORE = /^(-?)(\d{1,60})(?:\.(\d{1,18}))?$/

/** Whether a text is a score that can be given. */
export const isScore = (text: string): boolean => SCORE.test(text)

/** A seat's score that was given to it; undefined where its moves decide. */
export function givenScore(given: Entry['given']): Rational | undefined {
  if (given === undefined) return undefined
  const [, sign = '', whole = '', fraction = ''] = SCORE.exec(given) ?? []
  if (whole === '') return undefined
  const value = BigInt(whole + fraction)
  return rational(sign === '-' ? -value : value, 10n ** BigInt(fraction.length))
}
