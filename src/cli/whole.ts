import { InvalidArgumentError } from 'commander'

/** Reads a whole number. */
export function whole(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('it must be a whole number')
  return Number(text)
}
