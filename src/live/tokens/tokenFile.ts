import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import superjson from 'superjson'
import { z } from 'zod'
import { messageOf } from '../../core/error.ts'
import type { Mint } from '../../core/tokens.ts'
import type { ChainMint } from './readMints.ts'
import type { ListedMint } from './tokenApi.ts'

const VERSION = 2

/** What was read of mints, by whoever said it. Decimals and program of a mint never change; a fee may. */
export interface KeptTokens {
  readonly epoch: bigint
  readonly chain: ReadonlyMap<Mint, ChainMint>
  readonly api: ReadonlyMap<Mint, ListedMint>
  /** The chain that it was read on: of another one nothing holds. */
  readonly cluster: string | undefined
}

const NOTHING_KEPT: KeptTokens = { epoch: 0n, chain: new Map(), api: new Map(), cluster: undefined }

const programSchema = z.enum(['spl-token', 'token-2022'])
const decimalsSchema = z.number().int().min(0).max(255)
const feeSchema = z.strictObject({ feeBps: z.number().int().min(0).max(10_000), maximum: z.bigint().min(0n) })
const fileSchema = z.strictObject({
  version: z.literal(VERSION),
  cluster: z.string().optional(),
  epoch: z.bigint().min(0n),
  chain: z.map(
    z.string(),
    z.strictObject({
      decimals: decimalsSchema,
      tokenProgram: programSchema,
      feeSchedule: z.strictObject({ older: feeSchema, newer: feeSchema, newerFromEpoch: z.bigint().min(0n) }).optional(),
      transferHook: z.string().optional(),
      traps: z.array(z.enum(['frozenByDefault', 'nonTransferable', 'paused'])),
      powers: z.partialRecord(z.enum(['freeze', 'pause', 'seize', 'changeFee', 'changeHook']), z.string()),
      unlisted: z.array(z.string()),
    }),
  ),
  api: z.map(z.string(), z.strictObject({ decimals: decimalsSchema, tokenProgram: programSchema.optional() })),
})

/** What was read before, or why it cannot be used: all of it can be read anew. */
export function readTokenFile(file: string): { readonly kept: KeptTokens; readonly problem?: string } {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return { kept: NOTHING_KEPT }
    return { kept: NOTHING_KEPT, problem: `${file} cannot be read (${messageOf(thrown)}): what it says of tokens is read anew` }
  }
  try {
    return { kept: keptOf(fileSchema.parse(superjson.parse(text))) }
  } catch {
    return {
      kept: NOTHING_KEPT,
      problem: `${file} is not what this version writes: what it says of tokens is read anew, and it is written over`,
    }
  }
}

const keptOf = ({ cluster, epoch, chain, api }: z.output<typeof fileSchema>): KeptTokens => ({
  ...{ cluster, epoch },
  chain: new Map([...chain].map(([mint, { feeSchedule, transferHook, ...rest }]) => [mint, { ...rest, feeSchedule, transferHook }])),
  api: new Map([...api].map(([mint, { decimals, tokenProgram }]) => [mint, { decimals, tokenProgram }])),
})

/**
 * Writes it whole or not at all.
 *
 * @returns why it could not be written; undefined: it was
 */
export function writeTokenFile(file: string, { cluster, epoch, chain, api }: KeptTokens): string | undefined {
  const draft = `${file}.${process.pid}.new`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, superjson.stringify({ version: VERSION, cluster, epoch, chain, api }), { mode: 0o600, flush: true })
    renameSync(draft, file)
    return undefined
  } catch (thrown) {
    discard(draft)
    return `${file} cannot be written (${messageOf(thrown)}): what is known of tokens is read anew at the next start`
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // There is none: the folder itself is what cannot be written.
  }
}
