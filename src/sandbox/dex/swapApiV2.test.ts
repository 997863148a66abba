import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestSandbox, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openTestSandbox({ house: false })
})
afterAll(() => sandbox.close())

const good = () => ({ inputMint: USDC_MINT, outputMint: SOL_MINT, amount: '10000000', taker: sandbox.agents[0]?.wallet ?? '' })
const build = (changed: Record<string, string>, left: readonly string[] = []) => {
  const fields = Object.entries({ ...good(), ...changed }).filter(([name]) => !left.includes(name))
  return sandbox.send(`jup/swap/v2/build?${new URLSearchParams(fields).toString()}`)
}

const instruction = { programId: expect.any(String), accounts: expect.any(Array), data: expect.any(String) }

/** An instruction of an answer. */
interface Asked {
  readonly accounts: readonly { readonly pubkey: string; readonly isSigner: boolean }[]
}

describe('/jup/swap/v2/build', () => {
  test('answers every field of the openapi file, and no other', async () => {
    const { status, body } = await build({})
    expect(status).toBe(200)
    expect(body).toEqual({
      ...{ inputMint: USDC_MINT, outputMint: SOL_MINT, inAmount: '10000000', swapMode: 'ExactIn', slippageBps: 50 },
      ...{ outAmount: expect.stringMatching(/^\d+$/), otherAmountThreshold: expect.stringMatching(/^\d+$/) },
      priceImpactPct: expect.stringMatching(/^[\d.]+$/),
      routePlan: [
        {
          swapInfo: {
            ...{ ammKey: expect.any(String), label: 'Cornerman Sandbox', inputMint: USDC_MINT, outputMint: SOL_MINT },
            ...{ inAmount: '10000000', outAmount: expect.any(String) },
          },
          ...{ percent: 100, bps: 10_000 },
        },
      ],
      computeBudgetInstructions: [instruction],
      setupInstructions: [instruction],
      swapInstruction: { ...instruction, programId: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' },
      cleanupInstruction: instruction,
      otherInstructions: [],
      ...{ tipInstruction: null, addressesByLookupTableAddress: null },
      blockhashWithMetadata: {
        blockhash: Array(32).fill(expect.any(Number)),
        lastValidBlockHeight: expect.any(Number),
        fetchedAt: { secs_since_epoch: expect.any(Number), nanos_since_epoch: expect.any(Number) },
      },
    })
  })

  test('has nobody sign but the taker', async () => {
    const { body } = await build({})
    const { setupInstructions, swapInstruction, cleanupInstruction } = body as Readonly<Record<string, Asked | readonly Asked[] | null>>
    const asked = [setupInstructions ?? [], swapInstruction ?? [], cleanupInstruction ?? []].flat()
    const accounts = asked.flatMap((instruction) => instruction.accounts)
    expect(accounts.length).toBeGreaterThan(3)
    expect(new Set(accounts.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey))).toEqual(new Set([good().taker]))
  })

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'a token that is none of its own',
      { outputMint: '4G9USgnbg6fDTQ5AUfpCjM89zqbzWj32xfqvsaAu66DM' },
      /^The token 4G9U\w+ is not tradable$/,
    ],
    ['the same token', { outputMint: USDC_MINT }, /^Circular arbitrage is disabled$/],
    ['dust', { amount: '0' }, /^No routes found$/],
    ['an amount in words', { amount: '1.5' }, /^Query parameter amount cannot be parsed: ParseIntError \{ kind: InvalidDigit \}$/],
    ['a taker that is none', { taker: 'alice' }, /^Query parameter taker cannot be parsed/],
    ['another payer', { payer: SOL_MINT }, /^payer must be/],
    ['slippage over all of it', { slippageBps: '10001' }, /^Query parameter slippageBps cannot be parsed/],
    ['another quoting mode', { mode: 'slow' }, /^Query parameter mode cannot be parsed: slow is none of fast$/],
    ['no accounts', { maxAccounts: '0' }, /^Query parameter maxAccounts must be from 1 to 64$/],
    ['more accounts than there are', { maxAccounts: '65' }, /^Query parameter maxAccounts cannot be parsed/],
    ['fewer accounts than its route has', { maxAccounts: '12' }, /^No routes found$/],
    ['other DEXes', { dexes: 'Raydium' }, /^No routes found$/],
    ['DEXes both named and left out', { dexes: 'Raydium', excludeDexes: 'Orca' }, /^dexes and excludeDexes are mutually exclusive$/],
    ['two destinations', { destinationTokenAccount: SOL_MINT, nativeDestinationAccount: SOL_MINT }, /are mutually exclusive$/],
    ['a fee without an account', { platformFeeBps: '50' }, /^feeAccount is required with platformFeeBps$/],
    ['a fee', { platformFeeBps: '50', feeAccount: SOL_MINT }, /^platformFeeBps is not supported/],
    ['a tip', { tipAmount: '1000' }, /^tipAmount is not supported/],
    ['a blockhash of no slots', { blockhashSlotsToExpiry: '0' }, /^Query parameter blockhashSlotsToExpiry must be from 1 to 300$/],
    ['wrapping perhaps', { wrapAndUnwrapSol: 'perhaps' }, /^Query parameter wrapAndUnwrapSol cannot be parsed/],
  ])('refuses %s with the words alone', async (_what, changed, words) => {
    expect(await build(changed)).toMatchObject({ status: 400, body: { error: expect.stringMatching(words) } })
    expect(Object.keys((await build(changed)).body as object)).toEqual(['error'])
  })

  test.each(['inputMint', 'outputMint', 'amount', 'taker'])('asks for %s', async (name) => {
    const { status, body } = await build({}, [name])
    expect([status, body]).toEqual([400, { error: `Failed to deserialize query string: missing field \`${name}\`` }])
  })

  test('says what a compute unit costs by the percentile that is asked for', async () => {
    const priceOf = async (computeUnitPricePercentile: string) => {
      const { body } = await build({ computeUnitPricePercentile })
      const [price] = (body as { computeBudgetInstructions: { data: string }[] }).computeBudgetInstructions
      return Number(Buffer.from(price?.data ?? '', 'base64').readBigUInt64LE(1))
    }
    expect(await Promise.all(['medium', 'high', 'veryHigh', '0', '10000'].map(priceOf))).toEqual([700, 3_500, 14_000, 0, 7_000])
  })

  test('slips by itself where it may', async () => {
    expect((await build({ slippageBps: 'rtse' })).body).toMatchObject({ slippageBps: 50 })
  })

  test('is asked by GET', async () => {
    expect((await sandbox.send('jup/swap/v2/build', { method: 'POST', body: '{}' })).status).not.toBe(200)
  })
})
