import { describe, expect, test } from 'vitest'
import { type Methods, openSwapWorld, REAL_SWAPS, RpcRefusal } from '../../../test/support/swapWorld.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import type { Landing, SentSwap } from '../../pipeline/index.ts'
import { readWireTransaction } from './wireTransaction.ts'

const [REAL, ...OTHERS] = REAL_SWAPS
const [WALLET, TRANSACTION] = [REAL?.feePayer ?? '', REAL?.base64 ?? '']
const HEIGHT = 1000
const SENT: SentSwap = { wallet: WALLET, transaction: TRANSACTION, signature: undefined, lastValidBlockHeight: HEIGHT }
const NAMED: SentSwap = { ...SENT, signature: 'ours' }
const LANDED = {
  status: 'landed',
  signature: 'ours',
  changes: [
    { mint: USDC_MINT, delta: -30n },
    { mint: SOL_MINT, delta: 700n },
  ],
  feeLamports: 5000n,
  blockTime: 1_790_000_000,
}

/** As it comes back, with the service's signature in it. */
const SIGNED = (() => {
  const bytes = Buffer.from(TRANSACTION, 'base64')
  bytes.fill(7, 1, 65)
  return bytes.toString('base64')
})()

function executed(transaction: string, changed: object = {}) {
  const wire = readWireTransaction(transaction)
  const looked = wire?.lookups.flatMap(({ writable }) => writable.map((index) => `pool ${index}`)) ?? []
  const count = (wire?.accounts.length ?? 0) + looked.length
  const balances = (first: number) => [first, ...Array.from({ length: count - 1 }, () => 5e17)]
  const usdc = (amount: string) => [{ accountIndex: 2, mint: USDC_MINT, owner: WALLET, uiTokenAmount: { amount, decimals: 6 } }]
  return {
    slot: 5,
    transaction: [transaction, 'base64'],
    blockTime: 1_790_000_000,
    meta: {
      err: null,
      fee: 5000,
      preBalances: balances(10_000),
      postBalances: balances(5700),
      preTokenBalances: usdc('50'),
      postTokenBalances: usdc('20'),
      loadedAddresses: { writable: looked, readonly: [] },
      ...changed,
    },
  }
}

interface Chain {
  height: number
  isBlockhashValid: boolean
  /** Newest first. */
  history: { signature: string; slot: number }[]
  readonly transactions: Map<string, unknown>
}

async function open(chain: Partial<Chain> = {}, methods: Methods = {}) {
  const state: Chain = { height: HEIGHT - 10, isBlockhashValid: true, history: [], transactions: new Map(), ...chain }
  const world = await openSwapWorld({
    methods: {
      getBlockHeight: () => state.height,
      isBlockhashValid: () => ({ context: { slot: 1 }, value: state.isBlockhashValid }),
      getTransaction: ([signature]) => state.transactions.get(String(signature)) ?? null,
      getBlock: ([slot]) => ({ blockHeight: Number(slot), blockTime: 1 }),
      getSignaturesForAddress: ([, options]) => {
        const { limit, before } = options as { limit: number; before?: string }
        const from = before === undefined ? 0 : state.history.findIndex(({ signature }) => signature === before) + 1
        return state.history.slice(from, from + limit)
      },
      ...methods,
    },
  })
  return {
    state,
    world,
    find: (sent = SENT): Promise<Landing> => world.swapper.landing(sent),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** So many other transactions of the wallet, one a slot, the newest in `slot`. */
function others(count: number, slot = HEIGHT): { history: Chain['history']; transactions: Map<string, unknown> } {
  const history = Array.from({ length: count }, (_, index) => ({ signature: `other ${index}`, slot: slot - index }))
  const other = executed(OTHERS[0]?.base64 ?? '')
  return { history, transactions: new Map(history.map(({ signature }) => [signature, other])) }
}

describe('a swap that landed', () => {
  test('is found by its signature', async () => {
    await using chain = await open({ transactions: new Map([['ours', executed(SIGNED)]]) })
    expect(await chain.find(NAMED)).toEqual(LANDED)
    expect(chain.world.asked()).toEqual(['getTransaction'])
  })

  test('is found by its message among the wallet’s, whatever else the service has signed', async () => {
    const { history, transactions } = others(3)
    history.splice(1, 0, { signature: 'ours', slot: HEIGHT - 1 })
    await using chain = await open({ history, transactions: transactions.set('ours', executed(SIGNED)) })
    expect(await chain.find()).toEqual(LANDED)
    // What was compared once is not read again.
    expect(await chain.find()).toEqual(LANDED)
    const read = chain.world.rpc.calls.map(({ body }) => JSON.parse(body) as { method: string; params: [string] })
    expect(read.filter(({ method }) => method === 'getTransaction').map(({ params }) => params[0])).toEqual(['other 0', 'ours', 'ours'])
  })

  test('is found behind pages of others', async () => {
    const { history, transactions } = others(50)
    history.push({ signature: 'ours', slot: HEIGHT - 60 })
    await using chain = await open({ history, transactions: transactions.set('ours', executed(SIGNED)) })
    expect(await chain.find()).toEqual(LANDED)
    expect(chain.world.asked().filter((method) => method === 'getBlock')).toHaveLength(2)
  })

  test('in a block whose time the RPC does not know is landed all the same', async () => {
    for (const blockTime of [null, undefined]) {
      const transactions = new Map([['ours', { ...executed(SIGNED), blockTime }]])
      await using chain = await open({ transactions })
      expect(await chain.find(NAMED)).toEqual({ ...LANDED, blockTime: undefined })
    }
  })

  test('and failed has cost its fee', async () => {
    const err = { InstructionError: [3, { Custom: 6001 }] }
    await using chain = await open({ transactions: new Map([['ours', executed(SIGNED, { err })]]) })
    expect(await chain.find(NAMED)).toEqual({
      status: 'reverted',
      signature: 'ours',
      reason: 'instruction 3: custom program error 0x1771',
      feeLamports: 5000n,
    })
  })

  test('at somebody else’s cost has cost the wallet nothing', async () => {
    await using chain = await open({ transactions: new Map([['ours', executed(SIGNED, { err: 'AccountInUse' })]]) })
    expect(await chain.find({ ...NAMED, wallet: 'another' })).toMatchObject({ status: 'reverted', reason: 'AccountInUse', feeLamports: 0n })
  })
})

describe('a swap that is not there', () => {
  const LOOK = ['getSignaturesForAddress']
  test.each([
    [HEIGHT, true, 'pending', [...LOOK, 'getBlockHeight']],
    [HEIGHT, false, 'pending', [...LOOK, 'getBlockHeight']],
    // The height of whoever built it says it is over, and the chain still takes its blockhash.
    [HEIGHT + 1, true, 'pending', [...LOOK, 'getBlockHeight', 'isBlockhashValid']],
    [HEIGHT + 1, false, 'expired', [...LOOK, 'getBlockHeight', 'isBlockhashValid', ...LOOK]],
  ])('at height %i, its blockhash good: %s, is %s', async (height, isBlockhashValid, status, asked) => {
    await using chain = await open({ height, isBlockhashValid })
    expect(await chain.find()).toEqual({ status })
    expect(chain.world.asked()).toEqual(asked)
    expect(await chain.find(NAMED)).toEqual({ status })
  })

  test('asks for the blockhash that is in it, and for the height that is final', async () => {
    await using chain = await open({ height: HEIGHT + 1, isBlockhashValid: false })
    await chain.find()
    const params = chain.world.rpc.calls.map(({ body }) => (JSON.parse(body) as { params: unknown }).params)
    expect(params[1]).toEqual([{ commitment: 'finalized' }])
    expect(params[2]).toEqual([REAL?.recentBlockhash, { commitment: 'processed' }])
  })

  test.each([
    ['by its message', SENT],
    ['by its signature', NAMED],
  ])('and lands while its expiry is looked at, has landed (%s)', async (_by, sent) => {
    await using chain = await open(
      { height: HEIGHT + 1 },
      {
        isBlockhashValid: () => {
          chain.state.history.push({ signature: 'ours', slot: HEIGHT })
          chain.state.transactions.set('ours', executed(SIGNED))
          return { value: false }
        },
      },
    )
    expect(await chain.find(sent)).toEqual(LANDED)
  })

  test.each([
    [HEIGHT - 131, 20],
    [HEIGHT - 130, 40],
  ])('is looked for no further back than its blockhash: from slot %i, among %i', async (slot, compared) => {
    const { history, transactions } = others(60, slot)
    await using chain = await open({ height: HEIGHT + 1, isBlockhashValid: false, history, transactions })
    expect(await chain.find()).toEqual({ status: 'expired' })
    expect(chain.world.asked().filter((method) => method === 'getTransaction')).toHaveLength(compared)
  })

  test('is not known where the wallet has too many transactions to look through', async () => {
    const { history, transactions } = others(501)
    await using chain = await open(
      { height: HEIGHT + 1, isBlockhashValid: false, history, transactions },
      { getBlock: () => ({ blockHeight: HEIGHT }) },
    )
    expect(await chain.find()).toEqual({ status: 'unavailable', reason: 'the wallet has had over 500 transactions since' })
  })
})

describe('an RPC that does not say is no absence', () => {
  const over = { height: HEIGHT + 1, isBlockhashValid: false }
  const refusing = () => {
    throw new RpcRefusal(-32005, 'Node is behind by 42 slots')
  }
  test.each(['getSignaturesForAddress', 'getBlockHeight', 'isBlockhashValid'])('%s refused', async (method) => {
    await using chain = await open(over, { [method]: refusing })
    expect(await chain.find()).toEqual({ status: 'unavailable', reason: `the RPC refused ${method}: Node is behind by 42 slots (-32005)` })
  })

  test('the second look refused', async () => {
    let looks = 0
    await using chain = await open(over, { getTransaction: () => (++looks === 2 ? refusing() : null) })
    expect(await chain.find(NAMED)).toMatchObject({ status: 'unavailable' })
  })

  test('a block or a transaction of the wallet’s that the node does not have', async () => {
    await using chain = await open({ ...over, ...others(20) }, { getBlock: () => null })
    expect(await chain.find()).toEqual({ status: 'unavailable', reason: `the RPC does not have the block of slot ${HEIGHT - 19}` })
    chain.state.transactions.delete('other 7')
    await using again = await open({ ...chain.state })
    expect(await again.find()).toEqual({ status: 'unavailable', reason: 'the RPC names the transaction other 7 and does not have it' })
  })

  test.each<[string, unknown]>([
    ['no transaction in it', { ...executed(SIGNED), transaction: ['AAAA', 'base64'] }],
    ['no meta', { ...executed(SIGNED), meta: null }],
    ['no word of an error', executed(SIGNED, { err: undefined })],
    ['other balances than accounts', executed(SIGNED, { preBalances: [1] })],
    ['half a lamport', executed(SIGNED, { fee: 0.5 })],
    ['tokens of nobody', executed(SIGNED, { postTokenBalances: [{ accountIndex: 2, mint: USDC_MINT, uiTokenAmount: { amount: '20' } }] })],
    [
      'an amount that is none',
      executed(SIGNED, { postTokenBalances: [{ accountIndex: 2, mint: USDC_MINT, owner: WALLET, uiTokenAmount: { amount: '2e1' } }] }),
    ],
    ['another form', 'landed'],
  ])('an answer with %s', async (_what, transaction) => {
    await using chain = await open({
      ...over,
      history: [{ signature: 'ours', slot: HEIGHT }],
      transactions: new Map([['ours', transaction]]),
    })
    expect(await chain.find(NAMED)).toMatchObject({ status: 'unavailable' })
    expect(await chain.find(SENT)).toMatchObject({ status: 'unavailable' })
  })

  test('what was sent reads as no transaction', async () => {
    await using chain = await open(over)
    expect(await chain.find({ ...NAMED, transaction: 'AAAA' })).toMatchObject({ status: 'unavailable' })
  })
})
