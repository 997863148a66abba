/** A refusal with the numbers that decided it; amounts of USDC in micro-USDC, of other tokens in base units, times in milliseconds. */
export interface RefusalOf<Code extends string> {
  readonly code: Code
  readonly message: string
  readonly numbers: Readonly<Record<string, string | number | bigint>>
}
