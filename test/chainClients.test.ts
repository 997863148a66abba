import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Configuration, type Instruction, ResponseError, SwapApi } from '@jup-ag/api'
import { address } from '@solana/kit'
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { findAssociatedTokenPda, getTokenDecoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenOf, USDC_MINT } from '../src/core/tokens.ts'
import { errorOf, openTestSandbox, outputOf, type TestSandbox } from './support/sandbox/openTestSandbox.ts'

// The DEX and the chain as foreign clients use them: Jupiter's own and Solana's own, unchanged.

const mintOf = (symbol: string): string => tokenOf(symbol)?.mint ?? ''
const SOL = mintOf('SOL')
const WIF = mintOf('WIF')
const PUMP = mintOf('PUMP')
const AT_ONCE = { submitted: 0, failed: 0 }
const TOKEN_PROGRAM_ID = new PublicKey(TOKEN_PROGRAM_ADDRESS)

/** A wallet's own account of a mint, as the program's own client derives it. */
async function accountOf(mint: string, wallet: PublicKey): Promise<PublicKey> {
  const seeds = { owner: address(wallet.toBase58()), mint: address(mint), tokenProgram: TOKEN_PROGRAM_ADDRESS }
  return new PublicKey((await findAssociatedTokenPda(seeds))[0])
}

interface Clients {
  readonly sandbox: TestSandbox
  readonly jupiter: SwapApi
  readonly connection: Connection
  readonly wallet: PublicKey
  /** A swap as the DEX builds it, base64. */
  build(inputMint: string, outputMint: string, amount: number): Promise<string>
  send(transaction: string): Promise<{ signature: string; status: string }>
  status(signature: string): Promise<unknown>
  problems(): Promise<string[]>
}

async function openClients(options: Parameters<typeof openTestSandbox>[0] = {}): Promise<Clients> {
  const sandbox = await openTestSandbox({ house: false, landing: AT_ONCE, ...options })
  const jupiter = new SwapApi(new Configuration({ basePath: `${sandbox.url}/jup/swap/v1` }))
  const wallet = new PublicKey(sandbox.agents[0]?.wallet ?? '')
  return {
    sandbox,
    jupiter,
    wallet,
    connection: new Connection(`${sandbox.url}/rpc`, 'confirmed'),
    async build(inputMint, outputMint, amount) {
      const quoteResponse = await jupiter.quoteGet({ inputMint, outputMint, amount })
      const swapRequest = { userPublicKey: wallet.toBase58(), quoteResponse }
      return (await jupiter.swapPost({ swapRequest })).swapTransaction
    },
    send: async (transaction) =>
      outputOf(await sandbox.post('agent.trade.signAndSend', { transaction })) as { signature: string; status: string },
    status: async (signature) => outputOf(await sandbox.get('agent.tx.status', { signature })),
    problems: async () => (await sandbox.service.trading()).chain.problems(),
  }
}

let clients: Clients

beforeAll(async () => {
  clients = await openClients()
})
afterAll(() => clients.sandbox.close())

describe('a swap', () => {
  test.each([
    ['USDC for SOL', USDC_MINT, SOL, 10_000_000],
    ['USDC for a token', USDC_MINT, WIF, 20_000_000],
    ['a token for SOL', WIF, SOL, 5_000_000],
    ['SOL for a token of Token-2022', SOL, PUMP, 20_000_000],
    ['a token of Token-2022 for USDC', PUMP, USDC_MINT, 100_000_000],
    ['SOL that was for fees', SOL, USDC_MINT, 500_000_000],
  ])('%s: what was quoted is what arrives, and the chain and the ledger agree', async (_, inputMint, outputMint, amount) => {
    const { jupiter, connection, wallet, sandbox, send, status, problems } = clients
    const quoteResponse = await jupiter.quoteGet({ inputMint, outputMint, amount })
    const swapRequest = { userPublicKey: wallet.toBase58(), quoteResponse, dynamicComputeUnitLimit: true }
    const { swapTransaction } = await jupiter.swapPost({ swapRequest })
    const sent = await send(swapTransaction)
    expect(sent.status).toBe('confirmed')
    expect(await status(sent.signature)).toEqual({ ...sent, programs: undefined, slot: expect.any(Number), error: null, contestId: null })
    const landed = await connection.getTransaction(sent.signature, { maxSupportedTransactionVersion: 0 })
    const got = (mint: string) => {
      const of = (balances: typeof before) =>
        BigInt(balances?.find((item) => item.mint === mint && item.owner === wallet.toBase58())?.uiTokenAmount.amount ?? 0)
      const before = landed?.meta?.preTokenBalances
      return of(landed?.meta?.postTokenBalances) - of(before)
    }
    const [lamportsBefore = 0, lamportsAfter = 0] = [landed?.meta?.preBalances[0], landed?.meta?.postBalances[0]]
    if (outputMint !== SOL) expect(got(outputMint).toString()).toBe(quoteResponse.outAmount)
    else expect(lamportsAfter - lamportsBefore + (landed?.meta?.fee ?? 0)).toBe(Number(quoteResponse.outAmount))
    if (inputMint !== SOL) expect(got(inputMint)).toBe(BigInt(-amount))
    expect(await problems()).toEqual([])
    sandbox.advance(1000)
  })

  test('keeps wrapped SOL where it is not to be unwrapped, as a legacy transaction too', async () => {
    const { jupiter, connection, wallet, send, problems } = clients
    const quoteResponse = await jupiter.quoteGet({ inputMint: USDC_MINT, outputMint: SOL, amount: 1_000_000, asLegacyTransaction: true })
    const swapRequest = { userPublicKey: wallet.toBase58(), quoteResponse, wrapAndUnwrapSol: false, asLegacyTransaction: true }
    await send((await jupiter.swapPost({ swapRequest })).swapTransaction)
    const account = await accountOf(SOL, wallet)
    expect((await connection.getTokenAccountBalance(account)).value.amount).toBe(quoteResponse.outAmount)
    expect(await problems()).toEqual([])
  })

  test('for an exact output takes no more than was quoted', async () => {
    const { jupiter, wallet, connection, send } = clients
    const amount = 3_000_000
    const quoteResponse = await jupiter.quoteGet({ inputMint: USDC_MINT, outputMint: WIF, amount, swapMode: 'ExactOut', slippageBps: 30 })
    expect(quoteResponse).toMatchObject({ outAmount: '3000000', swapMode: 'ExactOut', slippageBps: 30 })
    const usdcAccount = await accountOf(USDC_MINT, wallet)
    const before = (await connection.getTokenAccountBalance(usdcAccount)).value.amount
    await send((await jupiter.swapPost({ swapRequest: { userPublicKey: wallet.toBase58(), quoteResponse } })).swapTransaction)
    const after = (await connection.getTokenAccountBalance(usdcAccount)).value.amount
    expect(BigInt(before) - BigInt(after)).toBe(BigInt(quoteResponse.inAmount))
  })

  test('out of instructions, in a message of the client’s own, is signed by the DEX when it is sent', async () => {
    const { jupiter, connection, wallet, send, problems } = clients
    const quoteResponse = await jupiter.quoteGet({ inputMint: USDC_MINT, outputMint: SOL, amount: 2_000_000 })
    const parts = await jupiter.swapInstructionsPost({ swapRequest: { userPublicKey: wallet.toBase58(), quoteResponse } })
    const instructions = [...parts.computeBudgetInstructions, ...parts.setupInstructions, parts.swapInstruction]
    if (parts.cleanupInstruction) instructions.push(parts.cleanupInstruction)
    const { blockhash } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({ payerKey: wallet, recentBlockhash: blockhash, instructions: instructions.map(instructionOf) })
    const sent = await send(Buffer.from(new VersionedTransaction(message.compileToV0Message()).serialize()).toString('base64'))
    expect(sent.status).toBe('confirmed')
    expect(await problems()).toEqual([])
  })

  test('by way of wrapped SOL, its accounts in lookup tables that the client reads, is executed, and told with what was loaded', async () => {
    const { sandbox, jupiter, connection, wallet, send, problems } = clients
    sandbox.setFaults({ tables: true, hops: true })
    const quoteResponse = await jupiter.quoteGet({ inputMint: USDC_MINT, outputMint: WIF, amount: 2_000_003 })
    const parts = await jupiter.swapInstructionsPost({ swapRequest: { userPublicKey: wallet.toBase58(), quoteResponse } })
    sandbox.setFaults({})
    const tables = await Promise.all(
      parts.addressLookupTableAddresses.map(async (table) => (await connection.getAddressLookupTable(new PublicKey(table))).value),
    )
    const all = [...parts.computeBudgetInstructions, ...parts.setupInstructions, parts.swapInstruction, parts.cleanupInstruction]
    const instructions = all.flatMap((instruction) => (instruction ? [instructionOf(instruction)] : []))
    const { blockhash } = await connection.getLatestBlockhash()
    const message = new TransactionMessage({ payerKey: wallet, recentBlockhash: blockhash, instructions }).compileToV0Message(
      tables.filter((table) => table !== null),
    )
    const before = await connection.getBalance(wallet)
    const { signature } = await send(Buffer.from(new VersionedTransaction(message).serialize()).toString('base64'))
    const told = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    const loaded = told?.meta?.loadedAddresses
    const named = message.addressTableLookups.flatMap(({ writableIndexes, readonlyIndexes }) => [...writableIndexes, ...readonlyIndexes])
    expect([...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])]).toHaveLength(named.length)
    expect(loaded?.readonly.map((key) => key.toBase58())).toEqual(expect.arrayContaining([USDC_MINT, SOL, WIF]))
    expect(told?.meta?.preBalances).toHaveLength(message.staticAccountKeys.length + named.length)
    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(parsed?.transaction.message.accountKeys.filter(({ source }) => source === 'lookupTable')).toHaveLength(named.length)
    // Its account of wrapped SOL is gone again, with all its rent: what the wallet paid beside the fee is the account of WIF.
    const wrapped = await accountOf(SOL, wallet)
    expect(await connection.getAccountInfo(wrapped)).toBeNull()
    const fee = told?.meta?.fee ?? 0
    const rent = (await connection.getAccountInfo(await accountOf(WIF, wallet)))?.lamports ?? 0
    expect([0, rent]).toContain(before - fee - (await connection.getBalance(wallet)))
    expect(await problems()).toEqual([])
  })

  test('that names a table nobody has is refused as a validator would', async () => {
    const { sandbox, connection, wallet } = clients
    const { blockhash } = await connection.getLatestBlockhash()
    const transfer = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: 1 })
    const message = new TransactionMessage({ payerKey: wallet, recentBlockhash: blockhash, instructions: [transfer] }).compileToV0Message()
    const lookup = { accountKey: Keypair.generate().publicKey, writableIndexes: [0], readonlyIndexes: [] }
    message.addressTableLookups.push(lookup)
    const transaction = Buffer.from(new VersionedTransaction(message).serialize()).toString('base64')
    expect(errorOf(await sandbox.post('agent.trade.signAndSend', { transaction }))).toMatchObject({
      appCode: 'TX_SIMULATION_FAILED',
      message: expect.stringContaining('address table account that does not exist'),
    })
  })
})

function instructionOf({ programId, accounts, data }: Instruction): TransactionInstruction {
  const keys = accounts.map(({ pubkey, isSigner, isWritable }) => ({ pubkey: new PublicKey(pubkey), isSigner, isWritable }))
  return new TransactionInstruction({ programId: new PublicKey(programId), keys, data: Buffer.from(data, 'base64') })
}

describe('the DEX refuses in Jupiter’s own words', () => {
  const ASKED = { inputMint: USDC_MINT, outputMint: SOL, amount: '1000000' }
  test.each([
    [
      'a token it does not know',
      { outputMint: '4G9USgnbg6fDTQ5AUfpCjM89zqbzWj32xfqvsaAu66DM' },
      'The token 4G9USgnbg6fDTQ5AUfpCjM89zqbzWj32xfqvsaAu66DM is not tradable',
      'TOKEN_NOT_TRADABLE',
    ],
    ['a token for itself', { outputMint: USDC_MINT }, 'Circular arbitrage is disabled', 'CIRCULAR_ARBITRAGE_IS_DISABLED'],
    ['dust', { inputMint: mintOf('BONK'), outputMint: mintOf('CBBTC'), amount: '1' }, 'No routes found', 'NO_ROUTES_FOUND'],
    ['another DEX', { dexes: 'Raydium' }, 'No routes found', 'NO_ROUTES_FOUND'],
    [
      'more than its depth',
      { amount: '90000000000000' },
      'The route plan does not consume all the amount, please lower your input amount',
      'ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT',
    ],
    [
      'an amount that is no number',
      { amount: 'abc' },
      'Query parameter amount cannot be parsed: ParseIntError { kind: InvalidDigit }',
      undefined,
    ],
    ['a negative amount', { amount: '-5' }, 'Query parameter amount cannot be parsed: ParseIntError { kind: InvalidDigit }', undefined],
    ['an empty amount', { amount: '' }, 'Query parameter amount cannot be parsed: ParseIntError { kind: Empty }', undefined],
    [
      'an amount over 64 bits',
      { amount: '18446744073709551616' },
      'Query parameter amount cannot be parsed: ParseIntError { kind: PosOverflow }',
      undefined,
    ],
    ['slippage over 100 %', { slippageBps: '10001' }, 'slippageBps must be from 0 to 10000', 'INVALID_SLIPPAGE'],
  ])('%s', async (_, changed, error, errorCode) => {
    const answer = await clients.sandbox.send(`jup/swap/v1/quote?${new URLSearchParams({ ...ASKED, ...changed })}`)
    expect(answer).toMatchObject({ status: 400, body: errorCode === undefined ? { error } : { error, errorCode } })
  })

  test('a quote it did not make, and one that no longer stands', async () => {
    const { jupiter, wallet, sandbox } = clients
    const quoteResponse = await jupiter.quoteGet({ inputMint: USDC_MINT, outputMint: SOL, amount: 1_000_000 })
    const swap = (changed: object) =>
      jupiter.swapPost({ swapRequest: { userPublicKey: wallet.toBase58(), quoteResponse: { ...quoteResponse, ...changed } } })
    const bodyOf = async (refused: Promise<unknown>): Promise<unknown> => {
      const thrown: unknown = await refused.catch((error: unknown) => error)
      return thrown instanceof ResponseError ? await thrown.response.json() : thrown
    }
    expect(await bodyOf(swap({ outAmount: String(BigInt(quoteResponse.outAmount) + 1n) }))).toMatchObject({ errorCode: 'INVALID_QUOTE' })
    sandbox.advance(31_000)
    expect(await bodyOf(swap({}))).toMatchObject({ errorCode: 'QUOTE_EXPIRED' })
  })
})

test('labels and tokens are told', async () => {
  const { jupiter, sandbox } = clients
  expect(Object.values(await jupiter.programIdToLabelGet())).toEqual(['Cornerman Sandbox'])
  const found = await sandbox.send('jup/tokens/v2/search?query=wif')
  expect(found.body).toMatchObject([{ id: WIF, symbol: 'WIF', decimals: 6, isVerified: true }])
})

describe('a Connection', () => {
  test('reads the chain', async () => {
    const { connection, wallet, sandbox } = clients
    const slot = await connection.getSlot()
    sandbox.advance(400)
    expect(await connection.getSlot()).toBe(slot + 1)
    expect(await connection.getBlockHeight()).toBe(slot + 1)
    expect((await connection.getVersion())['solana-core']).toMatch(/^2\./)
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    expect(lastValidBlockHeight).toBe(slot + 1 + 150)
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true)
    expect((await connection.isBlockhashValid(Keypair.generate().publicKey.toBase58())).value).toBe(false)
    const held = await connection.getTokenAccountsByOwner(wallet, { programId: TOKEN_PROGRAM_ID })
    const account = held.value.find(({ account }) => getTokenDecoder().decode(account.data).mint === USDC_MINT)
    const bankroll = outputOf(await sandbox.get('agent.bankroll')) as { wallet: string }
    expect(account && getTokenDecoder().decode(account.account.data).amount.toString()).toBe(bankroll.wallet)
    expect((await connection.getParsedTokenAccountsByOwner(wallet, { mint: new PublicKey(USDC_MINT) })).value).toHaveLength(1)
    const [first, none] = await connection.getMultipleAccountsInfo([wallet, Keypair.generate().publicKey])
    expect(first?.lamports).toBe(await connection.getBalance(wallet))
    expect(none).toBeNull()
    expect(await connection.getAccountInfo(new PublicKey(WIF))).toMatchObject({ owner: TOKEN_PROGRAM_ID, executable: false })
    const history = await connection.getSignaturesForAddress(wallet, { limit: 2 })
    expect(history).toHaveLength(2)
    expect((await connection.getSignatureStatuses([history[0]?.signature ?? ''])).value[0]).toMatchObject({ err: null })
    expect(await connection.getParsedTransaction(history[0]?.signature ?? '', { maxSupportedTransactionVersion: 0 })).not.toBeNull()
  })

  test('simulates, and is refused a transaction that nobody pays for, that is not signed or that was sent', async () => {
    const { connection, wallet, build, send } = clients
    const transaction = VersionedTransaction.deserialize(Buffer.from(await build(USDC_MINT, WIF, 1_000_000), 'base64'))
    expect((await connection.simulateTransaction(transaction)).value).toMatchObject({ err: null })
    await expect(connection.sendTransaction(transaction)).rejects.toThrow(/signature verification failure/)
    const { signature } = await send(Buffer.from(transaction.serialize()).toString('base64'))
    expect((await connection.simulateTransaction(transaction)).value.err).toBe('AlreadyProcessed')
    expect(await connection.getSignatureStatus(signature)).toMatchObject({ value: { err: null, confirmationStatus: 'confirmed' } })
    const stranger = Keypair.generate()
    const { blockhash } = await connection.getLatestBlockhash()
    const instructions = [SystemProgram.transfer({ fromPubkey: stranger.publicKey, toPubkey: wallet, lamports: 1 })]
    const theirs = new VersionedTransaction(
      new TransactionMessage({ payerKey: stranger.publicKey, recentBlockhash: blockhash, instructions }).compileToV0Message(),
    )
    theirs.sign([stranger])
    await expect(connection.sendTransaction(theirs)).rejects.toThrow(/no record of a prior credit/)
  })

  test('a transaction that a wallet signs itself is its agent’s', async () => {
    const { connection, wallet, build, sandbox, status, problems } = clients
    // In the same slot the same swap is the same message.
    sandbox.advance(400)
    const transaction = VersionedTransaction.deserialize(Buffer.from(await build(USDC_MINT, WIF, 1_000_000), 'base64'))
    const secretKey = sandbox.service.store.wallet(sandbox.agents[0]?.agentId ?? '')?.secretKey ?? new Uint8Array()
    expect(Keypair.fromSecretKey(secretKey).publicKey.equals(wallet)).toBe(true)
    transaction.sign([Keypair.fromSecretKey(secretKey)])
    const signature = await connection.sendTransaction(transaction)
    expect(await status(signature)).toMatchObject({ status: 'confirmed' })
    expect(await problems()).toEqual([])
  })

  test('calls come in batches; an unknown one is refused alone', async () => {
    const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method })
    const post = (body: string) => clients.sandbox.send('rpc', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const { body } = await post(JSON.stringify([call(1, 'getHealth'), call(2, 'requestAirdrop')]))
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: 'ok' },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'Method not found' } },
    ])
    expect(await post('{')).toMatchObject({ status: 400, body: { error: { code: -32700 } } })
  })
})

describe('stakes', () => {
  test('are in the vault while they are in play, and the wallet has no more than is left', async () => {
    const { sandbox, connection, wallet, problems, build } = clients
    const usdcAccount = await accountOf(USDC_MINT, wallet)
    const balance = async () => BigInt((await connection.getTokenAccountBalance(usdcAccount)).value.amount)
    const before = await balance()
    outputOf(await sandbox.post('agent.queue.enqueue', { mode: 'up_down', stake: '50000000', durationSec: 15, waitSec: 60 }))
    expect(await balance()).toBe(before - 50_000_000n)
    expect(await problems()).toEqual([])
    const transaction = await build(USDC_MINT, SOL, Number(before))
    expect(errorOf(await sandbox.post('agent.trade.signAndSend', { transaction })).appCode).toBe('TX_SIMULATION_FAILED')
    sandbox.advance(61_000)
    expect(await balance()).toBe(before)
  })
})

describe('a restart', () => {
  test('keeps what was executed, refuses it and what has expired, and lands what was submitted', async () => {
    const dbFile = join(mkdtempSync(join(tmpdir(), 'chain-')), 'sandbox.db')
    const first = await openClients({ dbFile, landing: { submitted: 1, failed: 0 } })
    const { clock } = first.sandbox
    const transaction = await first.build(USDC_MINT, SOL, 5_000_000)
    const stale = await first.build(USDC_MINT, WIF, 7_000_000)
    const sent = await first.send(transaction)
    expect(sent.status).toBe('submitted')
    expect(await first.status(sent.signature)).toMatchObject({ status: 'submitted', slot: null })
    expect(await first.connection.getSignatureStatus(sent.signature)).toMatchObject({ value: null })
    await first.sandbox.close()

    const second = await openClients({ dbFile, clock, landing: AT_ONCE })
    clock.advanceTo(clock.now() + 2000)
    expect(await second.status(sent.signature)).toMatchObject({ status: 'confirmed', error: null })
    const bought = await second.build(USDC_MINT, WIF, 9_000_000)
    const swapped = await second.send(bought)
    const quoteResponse = await second.jupiter.quoteGet({ inputMint: USDC_MINT, outputMint: SOL, amount: 1_000_000 })
    const swapRequest = { userPublicKey: second.wallet.toBase58(), quoteResponse, wrapAndUnwrapSol: false }
    await second.send((await second.jupiter.swapPost({ swapRequest })).swapTransaction)
    expect(await second.problems()).toEqual([])
    const lamports = await second.connection.getBalance(second.wallet)
    await second.sandbox.close()

    const third = await openClients({ dbFile, clock, landing: AT_ONCE })
    const codeOf = async (again: string) => errorOf(await third.sandbox.post('agent.trade.signAndSend', { transaction: again })).appCode
    expect(await third.problems()).toEqual([])
    expect(await third.connection.getBalance(third.wallet)).toBe(lamports)
    const wrapped = await accountOf(SOL, third.wallet)
    expect((await third.connection.getTokenAccountBalance(wrapped)).value.amount).toBe(quoteResponse.outAmount)
    expect(await codeOf(transaction)).toBe('TX_DUPLICATE')
    expect(await codeOf(bought)).toBe('TX_DUPLICATE')
    expect(await third.status(swapped.signature)).toMatchObject({ status: 'confirmed' })
    clock.advanceTo(clock.now() + 61_000)
    expect(await codeOf(stale)).toBe('TX_BLOCKHASH_EXPIRED')
    await third.sandbox.close()
  })
})
