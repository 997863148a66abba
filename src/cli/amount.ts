import { InvalidArgumentError } from 'commander'
import { type Usdc, usdc } from '../core/usdc.ts'

/** @returns reads an option in USDC; `examples` are of its own kind, such as `2, 0.10` */
export const amountLike =
  (examples: string) =>
  (text: string): Usdc => {
    try {
      return usdc(text)
    } catch {
      throw new InvalidArgumentError(`an amount of USDC has at most six decimals: ${examples}`)
    }
  }
