import { readFileSync } from 'node:fs'
import { Keypair, PublicKey, SystemProgram, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { errorOf, openTestSandbox, outputOf, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'
import { auditContests } from '../../contests/index.ts'
import {
  amountBytes,
  closeTokenAccount,
  reads,
  signs,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAM_ID,
  tokenInstruction,
  transferTokens,
  writes,
} from '../../core/tokenProgram.ts'
import { SOL_MINT, tokenOf, USDC_MINT } from '../../core/tokens.ts'
import type { Trading } from './openTrading.ts'
import { holdingOf, knownToken, tokenAddress } from './tokenAccounts.ts'

let sandbox: TestSandbox
let trading: Trading
let wallet: PublicKey
let usdcAccount: PublicKey

beforeAll(async () => {
  sandbox = await openTestSandbox({ house: false, landing: { submitted: 0, failed: 0 } })
  trading = await sandbox.service.trading()
  wallet = new PublicKey(sandbox.agents[0]?.wallet ?? '')
  usdcAccount = new PublicKey(tokenAddress(wallet.toBase58(), knownToken(USDC_MINT)))
})
afterAll(() => sandbox.close())
// A new slot for each test: in one slot the same transaction would be the same message.
beforeEach(() => sandbox.advance(400))

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** A transaction of the agent's wallet, its signature empty. */
function built(instructions: TransactionInstruction[], signers: Keypair[] = []): VersionedTransaction {
  const recentBlockhash = trading.chain.blockhash(trading.chain.slot())
  const transaction = new VersionedTransaction(
    new TransactionMessage({ payerKey: wallet, recentBlockhash, instructions }).compileToV0Message(),
  )
  if (signers.length > 0) transaction.sign(signers)
  return transaction
}

const toSelf = () => SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: 1 })

interface Wish {
  readonly inputMint?: string
  readonly outputMint?: string
  readonly amount?: bigint
  readonly slippageBps?: number
}

interface Whose {
  readonly trading: Trading
  readonly wallet: PublicKey
}

/** What the DEX is asked to build. */
function wishOf(wish: Wish, of: Whose) {
  const { inputMint = USDC_MINT, outputMint = SOL_MINT, amount = 1_000_000n, slippageBps = 50 } = wish
  const contextSlot = of.trading.chain.slot()
  const quoteResponse = { ...of.trading.dex.quote({ inputMint, outputMint, amount, slippageBps, swapMode: 'ExactIn' }), contextSlot }
  return {
    userPublicKey: of.wallet.toBase58(),
    quoteResponse,
    wrapAndUnwrapSol: true,
    asLegacyTransaction: false,
    dynamicComputeUnitLimit: false,
    prioritizationFeeLamports: 0,
  }
}

/** A swap as the DEX builds it. */
const swap = (wish: Wish = {}, of: Whose = { trading, wallet }): VersionedTransaction =>
  VersionedTransaction.deserialize(of.trading.dex.swap(wishOf(wish, of)).transaction)

const send = (transaction: Uint8Array | VersionedTransaction, contestId?: string) =>
  sandbox.post('agent.trade.signAndSend', {
    transaction: base64(transaction instanceof VersionedTransaction ? transaction.serialize() : transaction),
    ...(contestId === undefined ? {} : { contestId }),
  })

interface Row {
  readonly bytes: number
  readonly feePayer: string
  readonly base64: string
}

const REAL = readFileSync(new URL('../../../test/data/transactions/swaps.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  // Its README says what is in a row.
  .map((line) => JSON.parse(line) as Row)

const stranger = Keypair.generate()
const jupiter = new PublicKey('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')
/** Raydium's pools, which this chain has not. */
const raydium = new PublicKey('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8')

describe('a transaction is refused, and changes nothing,', () => {
  test.each<[string, string, () => Uint8Array | VersionedTransaction]>([
    ['of garbage', 'TX_MALFORMED', () => new Uint8Array(300).fill(7)],
    ['cut short', 'TX_MALFORMED', () => swap().serialize().slice(0, -1)],
    ['with a byte too many', 'TX_MALFORMED', () => Buffer.concat([swap().serialize(), Buffer.from([0])])],
    ['over the size of a packet', 'TX_TOO_LARGE', () => new Uint8Array(1233)],
    [
      'that another pays for',
      'TX_WRONG_PAYER',
      () => {
        const message = new TransactionMessage({
          payerKey: stranger.publicKey,
          recentBlockhash: trading.chain.blockhash(trading.chain.slot()),
          instructions: [toSelf()],
        })
        return new VersionedTransaction(message.compileToV0Message())
      },
    ],
    [
      'of another program',
      'TX_PROGRAM_NOT_ALLOWED',
      () => built([new TransactionInstruction({ programId: raydium, keys: [], data: Buffer.alloc(8) })]),
    ],
    [
      'of Jupiter’s program, and none of the DEX’s swaps',
      'TX_SIMULATION_FAILED',
      () => built([new TransactionInstruction({ programId: jupiter, keys: [], data: Buffer.alloc(8) })]),
    ],
    [
      'without the signature of the DEX',
      'TX_SIGNATURE_MISSING',
      () => {
        const transaction = swap()
        transaction.signatures[1]?.fill(0)
        return transaction
      },
    ],
    [
      'with a signature that does not verify',
      'TX_SIGNATURE_MISSING',
      () => {
        const transaction = swap()
        transaction.signatures[1]?.reverse()
        return transaction
      },
    ],
    [
      'that needs the signature of a third party',
      'TX_SIGNATURE_MISSING',
      () => built([SystemProgram.transfer({ fromPubkey: stranger.publicKey, toPubkey: wallet, lamports: 1 })]),
    ],
    [
      'with a blockhash that never was',
      'TX_BLOCKHASH_EXPIRED',
      () => {
        const transaction = built([toSelf()])
        transaction.message.recentBlockhash = stranger.publicKey.toBase58()
        return transaction
      },
    ],
    ['for more than there is', 'TX_SIMULATION_FAILED', () => swap({ amount: 1_000_000_001n })],
    [
      'that gives SOL away',
      'TX_SIMULATION_FAILED',
      () => built([SystemProgram.transfer({ fromPubkey: wallet, toPubkey: stranger.publicKey, lamports: 10_000_000 })]),
    ],
    [
      'that gives USDC to another agent',
      'TX_SIMULATION_FAILED',
      () => {
        const theirs = new PublicKey(tokenAddress(sandbox.agents[1]?.wallet ?? '', knownToken(USDC_MINT)))
        return built([transferTokens({ from: usdcAccount, to: theirs, authority: wallet, amount: 1n })])
      },
    ],
    [
      'that gives USDC to the DEX for nothing',
      'TX_SIMULATION_FAILED',
      () => {
        const theirs = new PublicKey(tokenAddress(trading.dex.address, knownToken(USDC_MINT)))
        return built([transferTokens({ from: usdcAccount, to: theirs, authority: wallet, amount: 1n })])
      },
    ],
    [
      'that burns USDC',
      'TX_SIMULATION_FAILED',
      () =>
        built([
          tokenInstruction('Burn', [writes(usdcAccount), writes(new PublicKey(USDC_MINT)), signs(wallet)], { data: amountBytes(1n) }),
        ]),
    ],
    [
      'that lets another take USDC',
      'TX_SIMULATION_FAILED',
      () =>
        built([tokenInstruction('Approve', [writes(usdcAccount), reads(stranger.publicKey), signs(wallet)], { data: amountBytes(1n) })]),
    ],
    [
      'that moves USDC where no stake can be taken from',
      'TX_SIMULATION_FAILED',
      () => {
        const second = Keypair.generate()
        const lamports = Number(trading.chain.rentOf(TOKEN_ACCOUNT_BYTES))
        const made = {
          fromPubkey: wallet,
          newAccountPubkey: second.publicKey,
          lamports,
          space: TOKEN_ACCOUNT_BYTES,
          programId: TOKEN_PROGRAM_ID,
        }
        return built(
          [
            SystemProgram.createAccount(made),
            tokenInstruction('InitializeAccount3', [writes(second.publicKey), reads(new PublicKey(USDC_MINT))], { data: wallet.toBytes() }),
            transferTokens({ from: usdcAccount, to: second.publicKey, authority: wallet, amount: 1_000_000n }),
          ],
          [second],
        )
      },
    ],
    [
      'that sends the DEX SOL beside a swap',
      'TX_SIMULATION_FAILED',
      () => {
        const theirs = new PublicKey(tokenAddress(trading.dex.address, knownToken(USDC_MINT)))
        const { setup, swap: exchange, cleanup } = trading.dex.swapInstructions(wishOf({}, { trading, wallet }))
        const sent = SystemProgram.transfer({ fromPubkey: wallet, toPubkey: theirs, lamports: 3_000_000 })
        return built([sent, ...setup, exchange, ...(cleanup === null ? [] : [cleanup])])
      },
    ],
    ['that closes the account of USDC', 'TX_SIMULATION_FAILED', () => built([closeTokenAccount(usdcAccount, wallet, wallet)])],
    [
      'that gives the wallet away',
      'TX_SIMULATION_FAILED',
      () => built([SystemProgram.assign({ accountPubkey: wallet, programId: jupiter })]),
    ],
  ])('%s', async (_, code, make) => {
    const transaction = make()
    const before = sandbox.service.store.lastSeq
    const refused = await send(transaction)
    expect(errorOf(refused)).toMatchObject({ appCode: code })
    expect(sandbox.service.store.lastSeq).toBe(before)
    expect(trading.chain.problems()).toEqual([])
  })

  test.each(REAL.map((row) => [row.bytes, row] as const))('a real swap of %i bytes', async (bytes, row) => {
    const refused = errorOf(await send(Buffer.from(row.base64, 'base64')))
    expect(refused).toMatchObject(
      bytes > 1232 ? { appCode: 'TX_TOO_LARGE', details: { bytes } } : { appCode: 'TX_WRONG_PAYER', details: { payer: row.feePayer } },
    )
  })

  test('sent a second time', async () => {
    const transaction = swap()
    outputOf(await send(transaction))
    expect(errorOf(await send(transaction)).appCode).toBe('TX_DUPLICATE')
  })

  test('when its blockhash is of more than 150 slots ago, and not before', async () => {
    const [last, late] = [built([toSelf()]), built([SystemProgram.transfer({ fromPubkey: wallet, toPubkey: wallet, lamports: 2 })])]
    sandbox.advance(150 * 400)
    outputOf(await send(last))
    sandbox.advance(400)
    expect(errorOf(await send(late)).appCode).toBe('TX_BLOCKHASH_EXPIRED')
  })

  test('for a contest that is not there', async () => {
    expect(errorOf(await send(swap(), '00000000-0000-4000-8000-000000000000')).appCode).toBe('NOT_FOUND')
  })

  test('for a contest the agent has no seat in', async () => {
    const wanted = { mode: 'pnl_usd', chain: 'solana', format: 'duel', stake: '1000000', durationSec: 60 }
    const contest = outputOf(await sandbox.post('agent.contests.create', wanted, sandbox.agents[1]?.key)) as { contestId: string }
    expect(errorOf(await send(swap(), contest.contestId)).appCode).toBe('NOT_IN_CONTEST')
  })

  test('when the price has moved past the slippage, and not when it has moved the other way', async () => {
    const asked = [
      { inputMint: USDC_MINT, outputMint: SOL_MINT, amount: 1_000_000n, slippageBps: 0 },
      { inputMint: SOL_MINT, outputMint: USDC_MINT, amount: 10_000_000n, slippageBps: 0 },
    ]
    const quoted = () => asked.map((wish) => trading.dex.quote({ ...wish, swapMode: 'ExactIn' }).outAmount)
    const before = quoted()
    const transactions = asked.map((wish) => swap(wish))
    sandbox.advance(10_000)
    const after = quoted()
    const stands = after.map((amount, index) => amount >= (before[index] ?? 0n))
    expect(stands.toSorted()).toEqual([false, true])
    for (const [index, transaction] of transactions.entries()) {
      const answer = await send(transaction)
      if (stands[index]) expect(outputOf(answer)).toMatchObject({ status: 'confirmed' })
      else expect(errorOf(answer)).toMatchObject({ appCode: 'TX_SIMULATION_FAILED', details: { error: expect.stringContaining('0x1771') } })
    }
    expect(trading.chain.problems()).toEqual([])
  })

  test('when the quote is too old, whatever its slippage', async () => {
    const transaction = swap({ slippageBps: 10_000 })
    sandbox.advance(76 * 400)
    expect(errorOf(await send(transaction)).appCode).toBe('TX_SIMULATION_FAILED')
  })
})

test('a status is told of the agent’s own transactions alone', async () => {
  const { signature } = outputOf(await send(swap())) as { signature: string }
  expect(outputOf(await sandbox.get('agent.tx.status', { signature }))).toMatchObject({ signature, status: 'confirmed', error: null })
  expect(errorOf(await sandbox.get('agent.tx.status', { signature }, sandbox.agents[1]?.key)).appCode).toBe('NOT_FOUND')
})

test('a swap for a contest counts for it by what was executed', async () => {
  const wanted = { mode: 'pnl_usd', stake: '1000000', durationSec: 60, opponents: 'AGENT', waitSec: 60 }
  outputOf(await sandbox.post('agent.queue.enqueue', wanted))
  outputOf(await sandbox.post('agent.queue.enqueue', wanted, sandbox.agents[1]?.key))
  const [contest] = outputOf(await sandbox.get('agent.contests.mine')) as { contestId: string }[]
  const { contestId = '' } = contest ?? {}
  sandbox.advance(4000)
  expect(outputOf(await send(swap({ amount: 5_000_000n }), contestId))).toMatchObject({ status: 'confirmed', contestId })
  sandbox.advance(60_000)
  const settled = outputOf(await sandbox.get('agent.contests.get', { contestId })) as { entries: { score: string | null }[] }
  expect(settled).toMatchObject({
    status: 'settled',
    entries: expect.arrayContaining([{ ...settled.entries[0], score: expect.stringMatching(/^-?0\.0/) }]),
  })
})

describe('a transaction that lands later', () => {
  const openLate = async (failed: number) => {
    const late = await openTestSandbox({ house: false, landing: { submitted: 1, failed } })
    const desk = await late.service.trading()
    return { late, of: { trading: desk, wallet: new PublicKey(late.agents[0]?.wallet ?? '') } }
  }

  test('is submitted, then fails as slippage does, and has cost its fee', async () => {
    const { late, of } = await openLate(1)
    const sent = outputOf(await late.post('agent.trade.signAndSend', { transaction: base64(swap({}, of).serialize()) })) as {
      signature: string
      status: string
    }
    expect(sent.status).toBe('submitted')
    late.advance(2000)
    expect(outputOf(await late.get('agent.tx.status', { signature: sent.signature }))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('custom program error: 0x1771'),
    })
    const bankroll = outputOf(await late.get('agent.bankroll'))
    expect(bankroll).toMatchObject({ wallet: '1000000000', gasLamports: String(1_000_000_000 - 2 * 5000) })
    expect(of.trading.chain.problems()).toEqual([])
    expect(late.service.read(auditContests)).toEqual([])
    await late.close()
  })

  test('counts for no contest where it may not by then, and is executed all the same', async () => {
    const { late, of } = await openLate(0)
    const params = { token: tokenOf('JUP')?.mint }
    const wanted = { mode: 'same_token', chain: 'solana', format: 'duel', stake: '1000000', durationSec: 60, params }
    const { contestId } = outputOf(await late.post('agent.contests.create', wanted)) as { contestId: string }
    const other = late.agents[1]?.key
    outputOf(await late.post('agent.contests.join', { contestId }, other))
    await late.post('agent.contests.ready', { contestId })
    await late.post('agent.contests.ready', { contestId }, other)
    // Sent before its window opens, where nothing counts, and landed in it.
    late.advance(2900)
    const transaction = base64(swap({ slippageBps: 500 }, of).serialize())
    const { signature } = outputOf(await late.post('agent.trade.signAndSend', { transaction, contestId })) as { signature: string }
    late.advance(2500)
    expect(outputOf(await late.get('agent.tx.status', { signature }))).toMatchObject({ status: 'confirmed', error: null })
    expect(outputOf(await late.get('agent.bankroll'))).toMatchObject({ wallet: '998000000' })
    const { entries } = outputOf(await late.get('agent.contests.get', { contestId })) as { entries: { score: string | null }[] }
    expect(entries.map(({ score }) => score)).toEqual([null, null])
    expect(of.trading.chain.problems()).toEqual([])
    await late.close()
  })

  test('fails when by then another one has spent what it needs', async () => {
    const { late, of } = await openLate(0)
    const amounts = [600_000_000n, 600_000_001n]
    const signatures: string[] = []
    for (const amount of amounts) {
      const transaction = base64(swap({ amount }, of).serialize())
      signatures.push((outputOf(await late.post('agent.trade.signAndSend', { transaction })) as { signature: string }).signature)
    }
    late.advance(2500)
    const statuses = await Promise.all(
      signatures.map(async (signature) => outputOf(await late.get('agent.tx.status', { signature })) as { status: string }),
    )
    expect(statuses.map(({ status }) => status).toSorted()).toEqual(['confirmed', 'failed'])
    expect(of.trading.chain.problems()).toEqual([])
    await late.close()
  })
})

test('a mint with a transfer fee delivers less than is sent, by the program’s own doing', async () => {
  const mint = tokenOf('LAUNCHCOIN')?.mint ?? ''
  const held = () => {
    const account = trading.chain.account(tokenAddress(wallet.toBase58(), knownToken(mint)))
    return account && holdingOf(account)?.amount
  }
  const { outAmount } = wishOf({ outputMint: mint, amount: 5_000_000n }, { trading, wallet }).quoteResponse
  outputOf(await send(swap({ outputMint: mint, amount: 5_000_000n })))
  // Half a per cent, rounded up.
  const received = outAmount - (outAmount * 50n + 9_999n) / 10_000n
  expect(held()).toBe(received)
  expect(trading.chain.problems()).toEqual([])
  await sandbox.advance(400)
  outputOf(await send(swap({ inputMint: mint, outputMint: USDC_MINT, amount: received })))
  expect(held()).toBe(0n)
  expect(trading.chain.problems()).toEqual([])
  expect(sandbox.service.read(auditContests)).toEqual([])
})
