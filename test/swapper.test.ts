import { Connection, type ParsedAccountData, PublicKey } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../src/core/tokenProgram.ts'
import { type Mint, SOL_MINT, tokenOf, USDC_MINT } from '../src/core/tokens.ts'
import { checkSimulation } from '../src/guard/index.ts'
import { JupiterSwapper } from '../src/live/index.ts'
import type { BuiltSwap, Landing, QuoteRequest, QuoteResult, SentSwap } from '../src/pipeline/index.ts'
import { openTestSandbox, outputOf, type TestSandbox } from './support/sandbox/openTestSandbox.ts'

// Swaps of a bot's on the sandbox's chain, from the quote to what has moved.

const mintOf = (symbol: string): Mint => tokenOf(symbol)?.mint ?? ''
const [WIF, PUMP, BONK] = [mintOf('WIF'), mintOf('PUMP'), mintOf('BONK')]
const SLOT_MS = 400
const FEES = { priorityLevel: 'high', maxPriorityFeeLamports: 3_333n } as const
const AT_ONCE = { submitted: 0, failed: 0 }

interface World extends AsyncDisposable {
  readonly sandbox: TestSandbox
  readonly swapper: JupiterSwapper
  readonly connection: Connection
  readonly wallet: string
}

async function open(landing = AT_ONCE): Promise<World> {
  const sandbox = await openTestSandbox({ house: false, landing })
  const swapper = new JupiterSwapper({
    swapUrl: `${sandbox.url}/jup/swap/v1`,
    apiKey: undefined,
    rpcUrl: `${sandbox.url}/rpc`,
    timeoutMs: 5000,
    clock: sandbox.clock,
  })
  return {
    sandbox,
    swapper,
    connection: new Connection(`${sandbox.url}/rpc`, 'confirmed'),
    wallet: sandbox.agents[0]?.wallet ?? '',
    async [Symbol.asyncDispose]() {
      await swapper.close()
      await sandbox.close()
    },
  }
}

type Good<T> = Extract<T, { ok: true }>

async function quoteOf({ swapper }: World, asked: Omit<QuoteRequest, 'slippageBps'>): Promise<Good<QuoteResult>> {
  const quoted = await swapper.quote({ ...asked, slippageBps: 100 })
  if (!quoted.ok) throw new Error(quoted.reason)
  return quoted
}

async function buildOf(
  { swapper, wallet }: World,
  { raw }: Good<QuoteResult>,
): Promise<BuiltSwap & { simulated: NonNullable<BuiltSwap['simulated']> }> {
  const result = await swapper.build({ raw, wallet }, FEES)
  if (!result.ok) throw new Error(result.reason)
  const { simulated } = result.built
  if (simulated === undefined) throw new Error('there is an RPC, and no simulation')
  return { ...result.built, simulated }
}

async function send({ sandbox }: World, { transaction }: BuiltSwap): Promise<{ signature: string; status: string }> {
  return outputOf(await sandbox.post('agent.trade.signAndSend', { transaction })) as { signature: string; status: string }
}

const sentOf = ({ wallet }: World, { transaction, lastValidBlockHeight }: BuiltSwap, signature?: string): SentSwap => ({
  wallet,
  transaction,
  signature,
  lastValidBlockHeight,
})

/** What the chain says the wallet has, by another client: under SOL all its lamports, those that are rent too. */
async function holdings({ connection, wallet }: World): Promise<Map<Mint, bigint>> {
  const owner = new PublicKey(wallet)
  const held = new Map<Mint, bigint>()
  const add = (mint: Mint, amount: bigint) => held.set(mint, (held.get(mint) ?? 0n) + amount)
  add(SOL_MINT, BigInt(await connection.getBalance(owner)))
  for (const programId of [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID]) {
    for (const { account } of (await connection.getParsedTokenAccountsByOwner(owner, { programId })).value) {
      const { mint, tokenAmount } = (account.data as ParsedAccountData).parsed.info as { mint: Mint; tokenAmount: { amount: string } }
      add(SOL_MINT, BigInt(account.lamports))
      if (mint !== SOL_MINT) add(mint, BigInt(tokenAmount.amount))
    }
  }
  return held
}

const byMint = (changes: readonly { readonly mint: Mint; readonly delta: bigint }[]) =>
  Object.fromEntries(changes.map(({ mint, delta }) => [mint, delta]))

/** The same of a simulation: SOL and wrapped SOL as one, fee and rent apart. */
function simulatedChanges({ changes, lamports, rentLamports, feeLamports }: NonNullable<BuiltSwap['simulated']>): Record<Mint, bigint> {
  const moved = byMint(changes)
  const sol = (moved[SOL_MINT] ?? 0n) + lamports + rentLamports + feeLamports
  return { ...Object.fromEntries(Object.entries(moved).filter(([mint]) => mint !== SOL_MINT)), ...(sol === 0n ? {} : { [SOL_MINT]: sol }) }
}

/** A wallet that swaps, makes what it has the same as what is said of it, to the base unit. */
async function expectSwap(world: World, asked: Omit<QuoteRequest, 'slippageBps'>): Promise<void> {
  const quoted = await quoteOf(world, asked)
  const { quote } = quoted
  const before = await holdings(world)
  const built = await buildOf(world, quoted)
  const terms = { wallet: world.wallet, ...asked, quotedOut: quote.outAmount, minOut: quote.minOut, slippageBps: quote.slippageBps }
  expect(checkSimulation(built.simulated, terms)).toBeUndefined()
  const { signature } = await send(world, built)
  const landing = await world.swapper.landing(sentOf(world, built, signature))
  expect(await world.swapper.landing(sentOf(world, built))).toEqual(landing)
  if (landing.status !== 'landed') throw new Error(`it is ${landing.status}`)
  expect(landing.signature).toBe(signature)
  expect(byMint(landing.changes)).toEqual({ [asked.from]: -asked.amount, [asked.to]: quote.outAmount })
  expect(simulatedChanges(built.simulated)).toEqual(byMint(landing.changes))
  expect(built.simulated.feeLamports).toBe(landing.feeLamports)
  expect(landing.feeLamports).toBeGreaterThan(5000n)
  const after = await holdings(world)
  const moved = [...new Set([...before.keys(), ...after.keys()])].map((mint) => ({
    mint,
    delta: (after.get(mint) ?? 0n) - (before.get(mint) ?? 0n),
  }))
  const paid = moved.map(({ mint, delta }) => ({ mint, delta: mint === SOL_MINT ? delta + landing.feeLamports : delta }))
  expect(byMint(paid.filter(({ delta }) => delta !== 0n))).toEqual(byMint(landing.changes))
}

describe('a swap', () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world[Symbol.asyncDispose]())
  // In one slot the same swap is the same message.
  afterEach(() => world.sandbox.advance(SLOT_MS))

  test.each<[string, Mint, Mint, bigint]>([
    ['USDC for SOL', USDC_MINT, SOL_MINT, 10_000_001n],
    ['SOL for a token, whose account is opened', SOL_MINT, WIF, 20_000_003n],
    ['SOL for a token, whose account is there', SOL_MINT, WIF, 10_000_007n],
    ['a token for USDC', WIF, USDC_MINT, 1_234_567n],
    ['USDC for a token of Token-2022', USDC_MINT, PUMP, 7_000_001n],
    ['a token of Token-2022 for a token', PUMP, BONK, 300_000_007n],
    ['a token for SOL', BONK, SOL_MINT, 1_000_001n],
    ['a token of Token-2022 for SOL', PUMP, SOL_MINT, 100_000_003n],
  ])('%s: what is simulated, what is executed and what the wallet has are one', async (_what, from, to, amount) => {
    await expectSwap(world, { from, to, amount })
  })

  test('with SOL that was wrapped before: it comes unwrapped, and is no gain', async () => {
    const { sandbox, wallet } = world
    const { raw } = await quoteOf(world, { from: USDC_MINT, to: SOL_MINT, amount: 3_000_000n })
    const body = JSON.stringify({ userPublicKey: wallet, quoteResponse: raw, wrapAndUnwrapSol: false })
    const answer = await sandbox.send('jup/swap/v1/swap', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { swapTransaction, lastValidBlockHeight } = answer.body as { swapTransaction: string; lastValidBlockHeight: number }
    const wrapped: BuiltSwap = { transaction: swapTransaction, lastValidBlockHeight, tables: undefined, simulated: undefined }
    const { signature } = await send(world, wrapped)
    const landing = await world.swapper.landing(sentOf(world, wrapped, signature))
    const { outAmount } = raw as { outAmount: string }
    // Its account holds rent: that is no part of the price.
    expect(landing).toMatchObject({ status: 'landed' })
    expect(byMint((landing as Extract<Landing, { status: 'landed' }>).changes)).toEqual({
      [USDC_MINT]: -3_000_000n,
      [SOL_MINT]: BigInt(outAmount),
    })
    sandbox.advance(SLOT_MS)
    await expectSwap(world, { from: USDC_MINT, to: SOL_MINT, amount: 2_000_000n })
  })

  test('that was sent already is not built a second time, and is once its blockhash is another', async () => {
    const { swapper, wallet } = world
    const quoted = await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_001n })
    await send(world, await buildOf(world, quoted))
    const reason = 'the RPC has executed the same transaction before'
    expect(await swapper.build({ raw: quoted.raw, wallet }, FEES)).toEqual({
      ok: false,
      isSpent: true,
      reason,
      retryable: true,
      part: 'rpc',
    })
    world.sandbox.advance(SLOT_MS)
    expect(await swapper.build({ raw: quoted.raw, wallet }, FEES)).toMatchObject({ ok: true })
  })

  test('of more than the wallet has is not built', async () => {
    const quoted = await quoteOf(world, { from: USDC_MINT, to: SOL_MINT, amount: 5_000_000_000n })
    expect(await world.swapper.build({ raw: quoted.raw, wallet: world.wallet }, FEES)).toEqual({
      ok: false,
      reason: expect.stringMatching(
        /^Jupiter simulated the swap, and it failed: Error processing Instruction \d+: custom program error: 0x1$/,
      ),
      retryable: true,
      isOfMarket: true,
    })
  })

  test('that the DEX refuses has its words', async () => {
    const { swapper } = world
    expect(await swapper.quote({ from: USDC_MINT, to: USDC_MINT, amount: 1_000_000n, slippageBps: 50 })).toEqual({
      ok: false,
      reason: 'Jupiter answered HTTP 400: CIRCULAR_ARBITRAGE_IS_DISABLED: Circular arbitrage is disabled',
      retryable: false,
    })
    const quoted = await quoteOf(world, { from: USDC_MINT, to: SOL_MINT, amount: 1_000_000n })
    world.sandbox.advance(31_000)
    expect(await swapper.build({ raw: quoted.raw, wallet: world.wallet }, FEES)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^Jupiter answered HTTP 400: QUOTE_EXPIRED: /),
    })
  })
})

describe('a swap that is looked for', () => {
  let world: World
  beforeEach(async () => {
    world = await open({ submitted: 1, failed: 0 })
  })
  afterEach(() => world[Symbol.asyncDispose]())
  const asked = { from: USDC_MINT, to: SOL_MINT, amount: 5_000_000n }

  test('is pending until it lands, with its signature known or not', async () => {
    const built = await buildOf(world, await quoteOf(world, asked))
    const { signature, status } = await send(world, built)
    expect(status).toBe('submitted')
    const both = [sentOf(world, built, signature), sentOf(world, built)]
    for (const sent of both) expect(await world.swapper.landing(sent)).toEqual({ status: 'pending' })
    world.sandbox.advance(2000)
    for (const sent of both) expect(await world.swapper.landing(sent)).toMatchObject({ status: 'landed', signature })
  })

  test('and was never sent expires, one block after its last', async () => {
    const built = await buildOf(world, await quoteOf(world, asked))
    const sent = sentOf(world, built)
    world.sandbox.advance((built.lastValidBlockHeight - (await world.connection.getBlockHeight())) * SLOT_MS)
    expect(await world.connection.getBlockHeight()).toBe(built.lastValidBlockHeight)
    expect(await world.swapper.landing(sent)).toEqual({ status: 'pending' })
    world.sandbox.advance(SLOT_MS)
    expect(await world.swapper.landing(sent)).toEqual({ status: 'expired' })
  })

  test('and was built on a blockhash that outlives the height it names is pending', async () => {
    const built = await buildOf(world, await quoteOf(world, asked))
    world.sandbox.advance(SLOT_MS)
    expect(await world.swapper.landing(sentOf(world, { ...built, lastValidBlockHeight: 0 }))).toEqual({ status: 'pending' })
  })
})

test('a swap that fails on the chain has cost its fee and nothing else', async () => {
  await using world = await open({ submitted: 1, failed: 1 })
  const built = await buildOf(world, await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 5_000_000n }))
  const before = await holdings(world)
  const { signature } = await send(world, built)
  world.sandbox.advance(2000)
  for (const sent of [sentOf(world, built, signature), sentOf(world, built)]) {
    expect(await world.swapper.landing(sent)).toEqual({
      status: 'reverted',
      signature,
      reason: expect.stringMatching(/^instruction \d+: custom program error 0x1771$/),
      feeLamports: built.simulated.feeLamports,
    })
  }
  const after = await holdings(world)
  before.set(SOL_MINT, (before.get(SOL_MINT) ?? 0n) - built.simulated.feeLamports)
  expect(after).toEqual(before)
})

test('a swap is found among many of the wallet’s, and one that was never sent is not', async () => {
  await using world = await open()
  const first = await buildOf(world, await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_000n }))
  const never = await buildOf(world, await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_001n }))
  const { signature } = await send(world, first)
  for (let swaps = 0; swaps < 22; swaps++) {
    world.sandbox.advance(SLOT_MS)
    await send(world, await buildOf(world, await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_000n })))
  }
  expect(await world.swapper.landing(sentOf(world, first))).toMatchObject({ status: 'landed', signature })
  expect(await world.swapper.landing(sentOf(world, never))).toEqual({ status: 'pending' })
  world.sandbox.advance(61_000)
  expect(await world.swapper.landing(sentOf(world, never))).toEqual({ status: 'expired' })
  expect(await world.swapper.landing(sentOf(world, first))).toMatchObject({ status: 'landed', signature })
})

test('the sandbox’s blocks have their height and time, and no block is there before its slot', async () => {
  await using world = await open()
  world.sandbox.advance(3 * SLOT_MS)
  const { connection } = world
  const [slot, { blockhash }] = [await connection.getSlot(), await connection.getLatestBlockhash()]
  const block = await connection.getBlock(slot, { transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 })
  expect(block).toMatchObject({
    blockHeight: slot,
    blockhash,
    parentSlot: slot - 1,
    blockTime: Math.floor(world.sandbox.clock.now() / 1000),
  })
  const earlier = await connection.getBlock(slot - 1, { transactionDetails: 'none', rewards: false })
  expect(earlier?.blockhash).toBe(block?.previousBlockhash)
  await expect(connection.getBlock(slot + 1, { transactionDetails: 'none', rewards: false })).rejects.toThrow(
    /Block not available for slot/,
  )
  await expect(connection.getBlock(slot)).rejects.toThrow(/transactionDetails "none"/)
})
