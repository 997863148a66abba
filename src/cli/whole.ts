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

const LAST_PORT = 65_535

/** Reads a port; 0 is any that is free. */
export function portNumber(text: string): number {
  const port = whole(text)
  if (port < 0 || port > LAST_PORT) throw new InvalidArgumentError(`a port is from 0 to ${LAST_PORT}`)
  return port
}

/** Reads an amount of a token in its base units. */
export function baseUnits(text: string): bigint {
  if (!/^[1-9]\d{0,19}$/.test(text)) throw new InvalidArgumentError('it must be a whole number above 0, in base units of the token')
  return BigInt(text)
}
