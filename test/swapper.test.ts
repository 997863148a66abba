import { channel } from 'node:diagnostics_channel'
import { Connection, type ParsedAccountData, PublicKey, VersionedTransaction } from '@solana/web3.js'
import { firstValueFrom } from 'rxjs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../src/core/tokenProgram.ts'
import { type Mint, SOL_MINT, tokenOf, USDC_MINT } from '../src/core/tokens.ts'
import { checkSimulation, inspectSwap, readTransaction } from '../src/guard/index.ts'
import { openDex } from '../src/live/index.ts'
import type { BuildResult, BuiltSwap, Landing, QuoteRequest, QuoteResult, SentSwap } from '../src/pipeline/index.ts'
import type { FaultsInput } from '../src/sandbox/faults/faults.ts'
import { type DexName, dexNames } from '../src/strategy/dexes.ts'
import { POLICY } from './support/guard/inspection/fixtures.ts'
import { errorOf, openTestSandbox, outputOf, type TestSandbox } from './support/sandbox/openTestSandbox.ts'

// Swaps of a bot's on the sandbox's chain, from the quote to what has moved.

const mintOf = (symbol: string): Mint => tokenOf(symbol)?.mint ?? ''
const [WIF, PUMP, BONK] = [mintOf('WIF'), mintOf('PUMP'), mintOf('BONK')]
const SLOT_MS = 400
const FEES = { priorityLevel: 'high', maxPriorityFeeLamports: 3_333n } as const
/** From the quote to what is signed. */
const REQUESTS: Readonly<Record<DexName, number>> = { jupiterV1: 2, jupiterV2: 1 }
const SWAPS = 60
/** Time enough on any machine. */
const TIMEOUT_MS = 60_000
const AT_ONCE = { submitted: 0, failed: 0 }

interface World extends AsyncDisposable {
  readonly sandbox: TestSandbox
  readonly swapper: {
    quote(request: QuoteRequest): Promise<QuoteResult>
    build(request: { readonly raw: unknown; readonly wallet: string }): Promise<BuildResult>
    landing(sent: SentSwap): Promise<Landing>
  }
  readonly connection: Connection
  readonly wallet: string
}

interface Told {
  readonly landing?: typeof AT_ONCE
  readonly name?: DexName
  readonly faults?: FaultsInput
}

async function open({ landing = AT_ONCE, name = 'jupiterV1', faults = {} }: Told = {}): Promise<World> {
  const sandbox = await openTestSandbox({ house: false, landing, faults })
  const dex = openDex({
    dex: name,
    swapUrl: `${sandbox.url}/jup/swap/${name === 'jupiterV1' ? 'v1' : 'v2'}`,
    apiKey: undefined,
    rpcUrl: `${sandbox.url}/rpc`,
    timeoutMs: TIMEOUT_MS,
    clock: sandbox.clock,
  })
  const wallet = sandbox.agents[0]?.wallet ?? ''
  const port = dex.swapperFor(FEES)
  return {
    sandbox,
    swapper: {
      quote: (request) => firstValueFrom(port.quote({ ...request, wallet })),
      build: (request) => firstValueFrom(port.build(request)),
      landing: (sent) => firstValueFrom(port.landing(sent)),
    },
    connection: new Connection(`${sandbox.url}/rpc`, 'confirmed'),
    wallet,
    async [Symbol.asyncDispose]() {
      await dex.close()
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
  const result = await swapper.build({ raw, wallet })
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
  expect(inspectSwap(Buffer.from(built.transaction, 'base64'), terms, { policy: POLICY, tables: built.tables })).toMatchObject({ ok: true })
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

describe.each<{ readonly name: DexName; readonly faults: FaultsInput }>([
  ...dexNames.map((name) => ({ name, faults: {} })),
  ...[{ tables: true }, { hops: true }, { tables: true, hops: true }].map((faults) => ({ name: 'jupiterV1' as const, faults })),
  { name: 'jupiterV2', faults: { tables: true } },
])('a swap on $name, with the DEX told $faults', ({ name, faults }) => {
  let world: World
  beforeAll(async () => {
    world = await open({ name, faults })
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

  test.skipIf(name !== 'jupiterV1')(
    'has lookup tables that the chain has, and goes by way of wrapped SOL, where it is told to and no RPC is missing',
    async () => {
      const quoted = await quoteOf(world, { from: USDC_MINT, to: BONK, amount: 5_000_001n })
      const { transaction, tables } = await buildOf(world, quoted)
      const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
      expect([message.addressTableLookups.length > 0, message.version]).toEqual([faults.tables === true, 0])
      for (const [table, addresses] of tables ?? []) {
        const { value } = await world.connection.getAddressLookupTable(new PublicKey(table))
        expect(value?.state.addresses.map((address) => address.toBase58())).toEqual(addresses)
      }
      const { routePlan } = quoted.raw as { routePlan: { swapInfo: { inputMint: Mint; outputMint: Mint } }[] }
      const route = routePlan.map(({ swapInfo: { inputMint, outputMint } }) => [inputMint, outputMint])
      expect(route).toEqual(
        faults.hops
          ? [
              [USDC_MINT, SOL_MINT],
              [SOL_MINT, BONK],
            ]
          : [[USDC_MINT, BONK]],
      )
      const withoutRpc = openDex({
        ...{ swapUrl: `${world.sandbox.url}/jup/swap/v1`, apiKey: undefined, rpcUrl: undefined },
        ...{ timeoutMs: 5000, clock: world.sandbox.clock },
      })
      const legacy = await firstValueFrom(withoutRpc.swapperFor(FEES).build({ raw: quoted.raw, wallet: world.wallet }))
      await withoutRpc.close()
      if (!legacy.ok) throw new Error(legacy.reason)
      const { quote } = quoted
      const terms = { wallet: world.wallet, from: USDC_MINT, to: BONK, amount: quote.inAmount, quotedOut: quote.outAmount }
      const seen = inspectSwap(
        Buffer.from(legacy.built.transaction, 'base64'),
        { ...terms, minOut: quote.minOut, slippageBps: quote.slippageBps },
        { policy: POLICY, tables: undefined },
      )
      expect(seen).toMatchObject({ ok: true, facts: { version: 'legacy' } })
    },
  )

  test(`takes ${REQUESTS[name]} of the DEX’s requests`, async () => {
    const asked: string[] = []
    const onRequest = (message: unknown) => asked.push((message as { request: { path: string } }).request.path)
    channel('undici:request:create').subscribe(onRequest)
    for (let swaps = 0; swaps < SWAPS; swaps++) {
      await send(world, await buildOf(world, await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_000n })))
      world.sandbox.advance(SLOT_MS)
    }
    channel('undici:request:create').unsubscribe(onRequest)
    expect(asked.filter((path) => path.startsWith('/jup/swap/'))).toHaveLength(SWAPS * REQUESTS[name])
  })
})

describe('a swap', () => {
  let world: World
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world[Symbol.asyncDispose]())
  afterEach(() => world.sandbox.advance(SLOT_MS))

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
    // An account that is opened takes compute units of its own.
    await expectSwap(world, { from: USDC_MINT, to: WIF, amount: 1_000_000n })
    world.sandbox.advance(SLOT_MS)
    const quoted = await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_001n })
    await send(world, await buildOf(world, quoted))
    const reason = 'the RPC has executed the same transaction before'
    expect(await swapper.build({ raw: quoted.raw, wallet })).toEqual({
      ok: false,
      isSpent: true,
      reason,
      retryable: true,
      part: 'rpc',
    })
    world.sandbox.advance(SLOT_MS)
    expect(await swapper.build({ raw: quoted.raw, wallet })).toMatchObject({ ok: true })
  })

  test('of more than the wallet has is not built', async () => {
    const quoted = await quoteOf(world, { from: USDC_MINT, to: SOL_MINT, amount: 5_000_000_000n })
    expect(await world.swapper.build({ raw: quoted.raw, wallet: world.wallet })).toEqual({
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
    expect(await swapper.build({ raw: quoted.raw, wallet: world.wallet })).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^Jupiter answered HTTP 400: QUOTE_EXPIRED: /),
    })
  })
})

describe('a swap composed here', () => {
  let world: World
  beforeAll(async () => {
    world = await open({ name: 'jupiterV2' })
  })
  afterAll(() => world[Symbol.asyncDispose]())
  afterEach(() => world.sandbox.advance(SLOT_MS))

  test('of the same answer is another transaction each time, so that an equal swap is made twice', async () => {
    const quoted = await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_001n })
    const [first, second] = [await buildOf(world, quoted), await buildOf(world, quoted)]
    expect(second.transaction).not.toBe(first.transaction)
    for (const built of [first, second]) expect(await send(world, built)).toMatchObject({ status: 'confirmed' })
  })

  test('asks for the units it takes and a fifth more, and pays for no others', async () => {
    const { simulated, transaction } = await buildOf(world, await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_003n }))
    const read = readTransaction(Buffer.from(transaction, 'base64'))
    if ('code' in read) throw new Error(read.message)
    const { computeUnitLimit = 0, computePriceMicroLamports } = read.facts
    expect(computeUnitLimit).toBe(Math.ceil((simulated.unitsConsumed ?? 0) * 1.2))
    expect(computePriceMicroLamports).toBe(3_500n)
    expect(simulated.feeLamports).toBe(5000n + BigInt(Math.ceil((computeUnitLimit * 3_500) / 1_000_000)))
  })

  test('of more than the wallet has fails in its simulation, as the guard then sees', async () => {
    const quoted = await quoteOf(world, { from: USDC_MINT, to: SOL_MINT, amount: 5_000_000_000n })
    expect(await world.swapper.build({ raw: quoted.raw, wallet: world.wallet })).toMatchObject({
      ok: true,
      built: { simulated: { error: expect.stringMatching(/^instruction \d+: custom program error 0x1$/) } },
    })
  })

  test('a blockhash of another chain fails there as well', async () => {
    const { raw } = await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_002n })
    const { blockhashWithMetadata } = raw as { blockhashWithMetadata: object }
    const elsewhere = { ...(raw as object), blockhashWithMetadata: { ...blockhashWithMetadata, blockhash: Array(32).fill(7) } }
    expect(await world.swapper.build({ raw: elsewhere, wallet: world.wallet })).toMatchObject({
      ok: true,
      built: { simulated: { error: 'BlockhashNotFound' } },
    })
  })

  test('the DEX sticks to what it offered: a better amount out is none of its swaps', async () => {
    const { sandbox, wallet } = world
    const { raw } = await quoteOf(world, { from: USDC_MINT, to: WIF, amount: 1_000_004n })
    const { swapInstruction } = raw as { swapInstruction: { data: string } }
    const data = Buffer.from(swapInstruction.data, 'base64')
    data.writeBigUInt64LE(data.readBigUInt64LE(16) + 1n, 16)
    const outAmount = String(data.readBigUInt64LE(16))
    const greedy = { ...(raw as object), outAmount, swapInstruction: { ...swapInstruction, data: data.toString('base64') } }
    const built = await world.swapper.build({ raw: greedy, wallet })
    expect(built).toMatchObject({ ok: true, built: { simulated: { error: expect.stringMatching(/custom program error 0x1771$/) } } })
    if (!built.ok) throw new Error(built.reason)
    const answer = await sandbox.post('agent.trade.signAndSend', { transaction: built.built.transaction })
    expect(errorOf(answer)).toMatchObject({ appCode: 'TX_SIMULATION_FAILED' })
  })
})

describe('a swap that is looked for', () => {
  let world: World
  beforeEach(async () => {
    world = await open({ landing: { submitted: 1, failed: 0 } })
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
  await using world = await open({ landing: { submitted: 1, failed: 1 } })
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
