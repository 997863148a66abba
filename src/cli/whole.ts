import { InvalidArgumentError } from 'commander'

/** Reads a whole number. */
export function whole(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('it must be a whole number')
  return Number(text)
}

/** Reads a whole number that is not below another. */
export const wholeFrom =
  (least: number) =>
  (text: string): number => {
    const value = whole(text)
    if (value < least) throw new InvalidArgumentError(`it must be ${least} or more`)
    return value
  }
