import { ComputeBudgetProgram, PublicKey, TransactionInstruction } from '@solana/web3.js'
import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../src/core/clock.ts'
import { closeTokenAccount, openTokenAccount, signs, tokenInstruction, transferTokens, writes } from '../src/core/tokenProgram.ts'
import { SOL_MINT, USDC_MINT } from '../src/core/tokens.ts'
import { usdc as usdcOf } from '../src/core/usdc.ts'
import { inspectSwap, inspectTransaction, type Refusal } from '../src/guard/index.ts'
import { matches } from '../src/guard/rules/quotes/matches.ts'
import { openDex } from '../src/live/index.ts'
import { composeTransaction } from '../src/live/swaps/composing/composeTransaction.ts'
import { readQuote } from '../src/live/swaps/jupiter/readQuote.ts'
import { readBuild } from '../src/live/swaps/jupiterV2/readBuild.ts'
import { guardConfig } from '../src/strategy/guardConfig.ts'
import {
  ASKED_BUILD,
  accountOf,
  type BuildAnswer,
  bodyOfInstruction,
  buildAnswer,
  type InstructionBody,
  longAnswer,
  madeUpKey,
  STRANGER,
  sendsSol,
  TAKER,
  tableAccount,
} from './support/buildAnswer.ts'
import { type RawCall, startRawServer } from './support/rawServer.ts'
import { answerMethods, FEES, type Methods, START_MS } from './support/swapWorld.ts'

// Whatever an answer of `/build` is altered to, no transaction comes of it: it does not read, the guard refuses its quote or its
// instructions with a code and numbers, and would refuse the bytes composed of them too.

const CONFIG = guardConfig({ maxStake: usdcOf('5'), dailyLoss: usdcOf('20'), maxOpenContests: 1, maxSlippageBps: 50 })
const TAKER_KEY = TAKER.toBase58()

type Verdict =
  | { readonly unread: string }
  | { readonly refusal: Refusal; readonly by: 'quote' | 'instructions' | 'bytes' }
  | { readonly transaction: string }

/** From the answer to what would be handed to the service, as a bot goes about it. */
async function verdictOn(answer: unknown, methods?: Methods): Promise<Verdict> {
  await using jupiter = await startRawServer((call: RawCall) => call.json(200, answer))
  await using rpc = await startRawServer(methods && answerMethods(methods))
  const dex = openDex({
    ...{ dex: 'jupiterV2', swapUrl: `${jupiter.url}/swap/v2`, apiKey: undefined, rpcUrl: methods && rpc.url },
    ...{ timeoutMs: 60_000, clock: new VirtualClock(START_MS) },
  })
  try {
    const swapper = dex.swapperFor(FEES)
    const quoted = await firstValueFrom(swapper.quote(ASKED_BUILD))
    if (!quoted.ok) return { unread: quoted.reason }
    const { quote, raw } = quoted
    const action = { ...ASKED_BUILD, type: 'swap', contestId: 'c-1', maxSlippageBps: 50 } as unknown as Parameters<
      typeof matches
    >[0]['action']
    const mismatch = matches({ action, quote }, { config: CONFIG } as Parameters<typeof matches>[1])
    if (mismatch !== undefined) return { refusal: mismatch, by: 'quote' }
    const result = await firstValueFrom(swapper.build({ raw, wallet: TAKER_KEY }))
    if (!result.ok) return result.refusal === undefined ? { unread: result.reason } : { refusal: result.refusal, by: 'instructions' }
    const judged = inspectTransaction({ action: ASKED_BUILD, quote, built: result.built, wallet: TAKER_KEY }, CONFIG)
    return judged.ok ? { transaction: judged.transaction } : { refusal: judged.refusal, by: 'bytes' }
  } finally {
    await dex.close()
  }
}

/** What the look at the bytes says of the same instructions, composed without the look before. */
function codeOfBytes(answer: BuildAnswer): string | undefined {
  const [quote, build] = [readQuote(answer, START_MS), readBuild(answer)]
  if (typeof quote === 'string' || typeof build === 'string') throw new Error('it does not read')
  const { instructions, blockhash } = build
  const composed = composeTransaction({ payer: TAKER_KEY, blockhash, instructions, tables: new Map() })
  if (!composed.ok) return 'TX_TOO_LARGE'
  const { inAmount: amount, outAmount: quotedOut, minOut, slippageBps } = quote
  const terms = { wallet: TAKER_KEY, from: USDC_MINT, to: SOL_MINT, amount, quotedOut, minOut, slippageBps }
  const inspected = inspectSwap(composed.transaction, terms, { policy: CONFIG, tables: undefined })
  return inspected.ok ? undefined : inspected.refusal.code
}

const good = buildAnswer()
const [usdc, sol] = [accountOf(TAKER, USDC_MINT), accountOf(TAKER, SOL_MINT)]
const swapWith = (change: (data: Buffer, accounts: InstructionBody['accounts']) => void): BuildAnswer => {
  const data = Buffer.from(good.swapInstruction.data, 'base64')
  const accounts = good.swapInstruction.accounts.map((account) => ({ ...account }))
  change(data, accounts)
  return { ...good, swapInstruction: { ...good.swapInstruction, accounts, data: data.toString('base64') } }
}
const withKey = (place: number, pubkey: PublicKey) =>
  swapWith((_data, accounts) => {
    const account = accounts[place]
    if (account !== undefined) account.pubkey = pubkey.toBase58()
  })
const setUp = (...more: TransactionInstruction[]): BuildAnswer => ({
  ...good,
  setupInstructions: [...good.setupInstructions, ...more.map(bodyOfInstruction)],
})
const mintKey = (mint: string) => new PublicKey(mint)
const foreign = new TransactionInstruction({ programId: madeUpKey('program'), keys: [signs(TAKER)], data: Buffer.from([1]) })
const coSigned = tokenInstruction('SyncNative', [writes(sol), signs(STRANGER)])

describe('an answer of /build', () => {
  test('that does what it says becomes a transaction, with an RPC and without', async () => {
    expect(await verdictOn(good)).toEqual({ transaction: expect.any(String) })
    expect(codeOfBytes(good)).toBeUndefined()
  })

  test.each<[what: string, answer: BuildAnswer, code: Refusal['code'], numbers: object]>([
    [
      'SOL sent to another',
      { ...good, otherInstructions: [sendsSol(STRANGER)] },
      'TX_SOL_TRANSFER',
      { lamports: 1_000_000n, to: STRANGER.toBase58() },
    ],
    ['a tip nobody asked for', { ...good, tipInstruction: sendsSol(madeUpKey('tips')) }, 'TX_SOL_TRANSFER', { lamports: 1_000_000n }],
    [
      'tokens sent beside the swap',
      setUp(transferTokens({ from: usdc, to: accountOf(STRANGER, USDC_MINT), authority: TAKER, amount: 5n })),
      'TX_TOKEN_TRANSFER',
      { amount: 5n },
    ],
    [
      'an approval',
      setUp(tokenInstruction('Approve', [writes(usdc), writes(STRANGER), signs(TAKER)], { data: Buffer.alloc(8, 1) })),
      'TX_INSTRUCTION_FORBIDDEN',
      { instruction: 'Approve' },
    ],
    ['a program nobody let in', setUp(foreign), 'TX_PROGRAM_NOT_ALLOWED', { program: madeUpKey('program').toBase58() }],
    ['another signer', setUp(coSigned), 'TX_SIGNATURE_MISSING', { signer: STRANGER.toBase58() }],
    ['a compute price among the setup', setUp(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 9 })), 'TX_MALFORMED', {}],
    [
      'another destination',
      withKey(2, accountOf(STRANGER, SOL_MINT)),
      'TX_SWAP_DESTINATION',
      { destination: accountOf(STRANGER, SOL_MINT).toBase58() },
    ],
    ['an output sent on', withKey(7, accountOf(STRANGER, SOL_MINT)), 'TX_SWAP_DESTINATION', {}],
    ['another source', withKey(1, accountOf(STRANGER, USDC_MINT)), 'TX_SWAP_SOURCE', {}],
    ['another mint', withKey(4, mintKey(USDC_MINT)), 'TX_SWAP_MINT', { named: USDC_MINT, mint: SOL_MINT }],
    [
      'another taker',
      { ...buildAnswer(STRANGER), setupInstructions: [], cleanupInstruction: null },
      'TX_SWAP_SOURCE',
      { authority: STRANGER.toBase58() },
    ],
    [
      'an account opened for another',
      setUp(openTokenAccount(TAKER, accountOf(STRANGER, SOL_MINT), { owner: STRANGER, mint: mintKey(SOL_MINT) })),
      'TX_ACCOUNT_OPENED',
      { owner: STRANGER.toBase58() },
    ],
    [
      'an account closed to another',
      { ...good, cleanupInstruction: bodyOfInstruction(closeTokenAccount(sol, STRANGER, TAKER)) },
      'TX_ACCOUNT_CLOSED',
      { to: STRANGER.toBase58() },
    ],
    [
      'more in, by the instruction',
      swapWith((data) => data.writeBigUInt64LE(10_000_001n, 8)),
      'TX_SWAP_AMOUNT',
      { inAmount: 10_000_001n, amount: 10_000_000n },
    ],
    ['less out', swapWith((data) => data.writeBigUInt64LE(53_399_999n, 16)), 'TX_SWAP_QUOTED_OUT', { quotedOut: 53_399_999n }],
    ['more slippage', swapWith((data) => data.writeUInt16LE(51, 24)), 'TX_SWAP_SLIPPAGE', { slippageBps: 51, quotedBps: 50 }],
    ['a platform fee', swapWith((data) => data.writeUInt16LE(10, 26)), 'TX_SWAP_FEE', { platformFeeBps: 10 }],
    ['two swaps', { ...good, setupInstructions: [...good.setupInstructions, good.swapInstruction] }, 'TX_SWAP_REPEATED', { swaps: 2 }],
    [
      'no swap',
      {
        ...good,
        swapInstruction: bodyOfInstruction(
          openTokenAccount(TAKER, accountOf(TAKER, USDC_MINT), { owner: TAKER, mint: new PublicKey(USDC_MINT) }),
        ),
      },
      'TX_NOT_THE_SWAP',
      {},
    ],
    [
      'an account that is opened once more',
      { ...good, swapInstruction: good.setupInstructions[0] as InstructionBody },
      'TX_ACCOUNT_OPENED',
      { uses: 'open, open, close' },
    ],
  ])('with %s is refused: by its instructions, and by its bytes', async (_what, answer, code, numbers) => {
    expect(await verdictOn(answer)).toMatchObject({ refusal: { code, numbers }, by: 'instructions' })
    // Without a compute budget of its own the bytes name one once.
    expect(codeOfBytes(answer)).toBe(code === 'TX_MALFORMED' ? undefined : code)
  })

  test.each<[what: string, answer: BuildAnswer, numbers: object]>([
    ['more in than was asked for', { ...good, inAmount: '10000001' }, { field: 'inAmount', quoted: 10_000_001n, asked: 10_000_000n }],
    [
      'a threshold that is too low',
      { ...good, otherAmountThreshold: '53132999' },
      { field: 'minOut', quoted: 53_132_999n, asked: 53_133_000n },
    ],
    ['another token', { ...good, outputMint: USDC_MINT }, { field: 'to', quoted: USDC_MINT, asked: SOL_MINT }],
    ['more slippage than was asked for', { ...good, slippageBps: 300 }, { field: 'slippageBps', quoted: 300, asked: 50 }],
  ])('that quotes %s is no quote for the swap', async (_what, answer, numbers) => {
    expect(await verdictOn(answer)).toMatchObject({ refusal: { code: 'QUOTE_MISMATCH', numbers } })
  })

  const { setupInstructions: _setup, ...withoutSetup } = good
  const { swapInstruction: _swap, ...withoutSwap } = good
  const blockhash = (changed: object) => ({ ...good, blockhashWithMetadata: { ...good.blockhashWithMetadata, ...changed } })
  const swapField = (changed: object) => ({ ...good, swapInstruction: { ...good.swapInstruction, ...changed } })
  const [price] = good.computeBudgetInstructions as InstructionBody[]
  test.each<[what: string, answer: unknown, says: RegExp]>([
    ['no setup', withoutSetup, /no swap \(setupInstructions: /],
    ['no swap instruction', withoutSwap, /no swap \(swapInstruction: /],
    ['no blockhash', { ...good, blockhashWithMetadata: null }, /no swap \(blockhashWithMetadata: /],
    ['half a blockhash', blockhash({ blockhash: Array(31).fill(1) }), /\(blockhashWithMetadata\.blockhash: /],
    ['a blockhash of no bytes', blockhash({ blockhash: Array(32).fill(256) }), /\(blockhashWithMetadata\.blockhash\.0: /],
    ['a blockhash in words', blockhash({ blockhash: madeUpKey('x').toBase58() }), /\(blockhashWithMetadata\.blockhash: /],
    ['a height in words', blockhash({ lastValidBlockHeight: '317252774' }), /\(blockhashWithMetadata\.lastValidBlockHeight: /],
    ['an amount that is a number', { ...good, inAmount: 10_000_000 }, /\(inAmount: /],
    ['a slippage in words', { ...good, slippageBps: '50' }, /\(slippageBps: /],
    ['another mode', { ...good, swapMode: 'ExactOut' }, /\(swapMode: /],
    ['no base64', swapField({ data: '%%' }), /\(swapInstruction\.data: /],
    ['a program that is none', swapField({ programId: 'jupiter' }), /\(swapInstruction\.programId: no base58 public key\)/],
    [
      'an account that is none',
      swapField({ accounts: [{ pubkey: '1', isSigner: true, isWritable: true }] }),
      /\(swapInstruction\.accounts\.0\.pubkey: /,
    ],
    ['a flag in words', swapField({ accounts: [{ pubkey: USDC_MINT, isSigner: 'true', isWritable: true }] }), /accounts\.0\.isSigner: /],
    [
      'more than a price for the budget',
      { ...good, computeBudgetInstructions: [price, price] },
      /\(computeBudgetInstructions: not one price of a compute unit\)/,
    ],
    ['a transfer for a budget', { ...good, computeBudgetInstructions: [sendsSol(STRANGER)] }, /\(computeBudgetInstructions: /],
    ['instructions without end', { ...good, otherInstructions: Array(65).fill(price) }, /\(otherInstructions: /],
    [
      'a table of too much',
      { ...good, addressesByLookupTableAddress: { [USDC_MINT]: Array(257).fill(USDC_MINT) } },
      /\(addressesByLookupTableAddress\./,
    ],
    ['over a mebibyte', { ...good, routePlan: ['x'.repeat(1024 * 1024)] }, /^Jupiter gave an answer of over 1048576 bytes$/],
    ['an error that says 200', { error: 'No routes found' }, /^Jupiter answered with no swap \(No routes found\)$/],
    ['nothing', null, /^Jupiter answered with no swap \(/],
  ])('with %s does not read, and says which field', async (_what, answer, says) => {
    expect(await verdictOn(answer)).toEqual({ unread: expect.stringMatching(says) })
  })
})

describe('a route of many accounts', () => {
  const { answer, table, entries } = longAnswer(40)
  /** What a chain says that has the table, and on which the swap fails: how far it got is told by that. */
  const chain = (contents: readonly string[] | undefined, asked: string[] = []): Methods => ({
    getMultipleAccounts: ([addresses]) => ({
      value: (addresses as string[]).map((address) => (address === table && contents !== undefined ? tableAccount(contents) : null)),
    }),
    simulateTransaction: ([transaction]) => {
      asked.push(String(transaction))
      return { value: { err: 'AccountNotFound', accounts: null } }
    },
  })

  test('does not fit without tables, and is refused with the numbers where no RPC can read any', async () => {
    const verdict = await verdictOn(answer)
    expect(verdict).toMatchObject({ refusal: { code: 'TX_TOO_LARGE', numbers: { bytes: 1962, maxBytes: 1232 } } })
    expect(verdict).toMatchObject({ refusal: { message: expect.stringContaining('set market.rpcUrl') } })
  })

  test('is composed with the table where the chain has it, and what it has grown by', async () => {
    const asked: string[] = []
    expect(await verdictOn(answer, chain([...entries, USDC_MINT], asked))).toMatchObject({ refusal: { code: 'SIMULATION_FAILED' } })
    const bytes = Buffer.from(asked[0] ?? '', 'base64')
    expect(bytes.length).toBeLessThanOrEqual(1232)
    expect(bytes.includes(new PublicKey(table).toBuffer())).toBe(true)
  })

  test('is refused where the chain has another address in the table', async () => {
    const other = entries.with(3, STRANGER.toBase58())
    const numbers = { table, place: 3, said: entries[3], onChain: STRANGER.toBase58() }
    expect(await verdictOn(answer, chain(other))).toMatchObject({ refusal: { code: 'TX_TABLE_UNRESOLVED', numbers } })
  })

  test('is refused where the chain has no such table', async () => {
    expect(await verdictOn(answer, chain(undefined))).toMatchObject({ refusal: { code: 'TX_TABLE_UNRESOLVED', numbers: { table } } })
  })
})
