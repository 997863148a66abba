import { AddressLookupTableProgram, PublicKey } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { FEES, type Methods, openSwapWorld, QUOTE, REAL_SWAPS, RpcRefusal } from '../../../test/support/swapWorld.ts'
import { TOKEN_2022_PROGRAM_ID, TOKEN_ACCOUNT_STATE, TOKEN_PROGRAM_ID, tokenAccountBytes } from '../../core/tokenProgram.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { readWireTransaction } from './wireTransaction.ts'

const REAL = REAL_SWAPS.find(({ lookupTables, base64 }) => lookupTables.length > 1 && readWireTransaction(base64) !== undefined)
const [WALLET, TRANSACTION] = [REAL?.feePayer ?? '', REAL?.base64 ?? '']
const WIRE = readWireTransaction(TRANSACTION)
const TABLES = REAL?.lookupTables ?? []
const [FIRST = '', SECOND = ''] = WIRE?.writable.slice(1) ?? []
const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const RENT = 2_039_280

/** 256 addresses, each named by its table and its place. */
const addressIn = (table: number, index: number) =>
  new PublicKey(
    Buffer.alloc(32, 1)
      .fill(table + 1, 0, 8)
      .fill(index, 8, 9),
  ).toBase58()
const entriesOf = (table: number) => Array.from({ length: 256 }, (_, index) => addressIn(table, index))

interface Raw {
  lamports: number
  owner: string
  data: [string, 'base64']
}
const raw = (owner: string, data: Uint8Array, lamports = RENT): Raw => ({
  lamports,
  owner,
  data: [Buffer.from(data).toString('base64'), 'base64'],
})

/** As the program has it: the state, the last slots of its life and of its growth, an authority, then the addresses. */
function tableAccount(table: number, owner = AddressLookupTableProgram.programId.toBase58()): Raw {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1, 0)
  head.writeBigUInt64LE(2n ** 64n - 1n, 4)
  return raw(owner, Buffer.concat([head, ...entriesOf(table).map((address) => new PublicKey(address).toBuffer())]))
}

const plain = (lamports: number) => raw(SYSTEM_PROGRAM, new Uint8Array(), lamports)

function tokenAccount(
  mint: string,
  amount: bigint,
  options: { program?: PublicKey; owner?: string; extended?: number; state?: number } = {},
): Raw {
  const { program = TOKEN_PROGRAM_ID, owner = WALLET, extended, state = TOKEN_ACCOUNT_STATE.initialized } = options
  const base = tokenAccountBytes({
    mint: new PublicKey(mint),
    owner: new PublicKey(owner),
    amount,
    delegate: undefined,
    state,
    nativeReserve: undefined,
    delegatedAmount: 0n,
    closeAuthority: undefined,
  })
  const data = extended === undefined ? base : Buffer.concat([base, Buffer.alloc(10, extended)])
  return raw(program.toBase58(), data, RENT + (mint === SOL_MINT ? Number(amount) : 0))
}

type Accounts = Readonly<Record<string, Raw | undefined>>

interface Scene {
  readonly before?: Accounts
  readonly after?: Accounts
  readonly tables?: readonly (Raw | null)[]
  readonly methods?: Methods
  readonly simulated?: object
}

async function build({
  before = {},
  after = {},
  tables = TABLES.map((_, table) => tableAccount(table)),
  methods = {},
  simulated = {},
}: Scene) {
  const asked: Record<string, unknown[]> = { getMultipleAccounts: [], simulateTransaction: [] }
  await using world = await openSwapWorld({
    jupiter: (call) => call.json(200, { swapTransaction: TRANSACTION, lastValidBlockHeight: 9 }),
    methods: {
      getMultipleAccounts: (params) => {
        asked.getMultipleAccounts?.push(params)
        const addresses = params[0] as string[]
        return { value: addresses[0] === TABLES[0] ? tables : addresses.map((address) => before[address] ?? null) }
      },
      simulateTransaction: (params) => {
        asked.simulateTransaction?.push(params)
        const { accounts } = params[1] as { accounts: { addresses: string[] } }
        return { value: { err: null, accounts: accounts.addresses.map((address) => after[address] ?? null), ...simulated } }
      },
      ...methods,
    },
  })
  const result = await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)
  return { result, asked, simulated: result.ok ? result.built.simulated : undefined, tables: result.ok ? result.built.tables : undefined }
}

describe('the lookup tables of a real transaction', () => {
  test('are read, each once', async () => {
    const { tables, asked } = await build({})
    expect(tables).toEqual(new Map(TABLES.map((table, index) => [table, entriesOf(index)])))
    expect(asked.getMultipleAccounts?.[0]).toEqual([TABLES, { encoding: 'base64', commitment: 'confirmed' }])
  })

  test.each<[string, Raw | null]>([
    ['is not there', null],
    ['is of another program', tableAccount(0, SYSTEM_PROGRAM)],
    ['is of the program and no table', raw(AddressLookupTableProgram.programId.toBase58(), new Uint8Array(3))],
  ])('leave out one that %s', async (_what, first) => {
    const { tables } = await build({ tables: [first, ...TABLES.slice(1).map((_, index) => tableAccount(index + 1))] })
    expect([...(tables?.keys() ?? [])]).toEqual(TABLES.slice(1))
  })

  test('that cannot be read for the RPC leave no transaction', async () => {
    let calls = 0
    const { result } = await build({
      methods: {
        getMultipleAccounts: ([addresses]) => {
          if (++calls === 1) throw new RpcRefusal(-32005, 'behind')
          return { value: (addresses as string[]).map(() => null) }
        },
      },
    })
    expect(result).toEqual({ ok: false, reason: 'the RPC refused getMultipleAccounts: behind (-32005)', retryable: true, part: 'rpc' })
  })
})

describe('a simulation', () => {
  test('is of the transaction as it is, and shows every account it may write to, those in tables too', async () => {
    const { asked } = await build({})
    const looked = WIRE?.lookups.flatMap(({ table, writable }) => writable.map((index) => addressIn(TABLES.indexOf(table), index))) ?? []
    expect(looked.length).toBeGreaterThan(0)
    const addresses = [...(WIRE?.writable ?? []), ...looked]
    const how = { encoding: 'base64', commitment: 'confirmed' }
    expect(asked.getMultipleAccounts?.[1]).toEqual([addresses, how])
    expect(asked.simulateTransaction).toEqual([
      [TRANSACTION, { ...how, sigVerify: false, replaceRecentBlockhash: false, accounts: { encoding: 'base64', addresses } }],
    ])
  })

  test('tells what moves of the wallet’s, in either token program, opened or there before', async () => {
    const { simulated } = await build({
      before: { [WALLET]: plain(9_000_000), [FIRST]: tokenAccount(USDC_MINT, 50n) },
      after: {
        [WALLET]: plain(6_000_000),
        [FIRST]: tokenAccount(USDC_MINT, 20n),
        [SECOND]: tokenAccount(SOL_MINT, 700n, { program: TOKEN_2022_PROGRAM_ID, extended: 2 }),
      },
    })
    expect(simulated).toEqual({
      error: undefined,
      changes: [
        { mint: USDC_MINT, delta: -30n },
        { mint: SOL_MINT, delta: 700n },
      ],
      lamports: -3_000_000n,
      rentLamports: BigInt(RENT),
      // One signature, and 166,257 units at 174,200 micro-lamports, rounded up.
      feeLamports: 5000n + 28_962n,
    })
  })

  test.each<[string, Raw]>([
    ['of somebody else', tokenAccount(USDC_MINT, 9n, { owner: USDC_MINT })],
    ['that is not initialised', tokenAccount(USDC_MINT, 9n, { state: TOKEN_ACCOUNT_STATE.uninitialized })],
    ['of another program', { ...tokenAccount(USDC_MINT, 9n), owner: SYSTEM_PROGRAM }],
    ['that is a mint of Token-2022', tokenAccount(USDC_MINT, 9n, { program: TOKEN_2022_PROGRAM_ID, extended: 1 })],
  ])('counts no account %s', async (_what, account) => {
    const { simulated } = await build({ after: { [FIRST]: account } })
    expect(simulated).toMatchObject({ error: undefined, changes: [], rentLamports: 0n })
  })

  test.each<[string, Scene, string]>([
    [
      'the chain executes and fails',
      { simulated: { err: { InstructionError: [2, { Custom: 1 }] } } },
      'instruction 2: custom program error 0x1',
    ],
    ['the chain does not execute', { simulated: { err: 'BlockhashNotFound', accounts: null } }, 'BlockhashNotFound'],
    [
      'the node takes for wrong',
      {
        methods: {
          simulateTransaction: () => {
            throw new RpcRefusal(-32602, 'too large')
          },
        },
      },
      'the RPC refused simulateTransaction: too large (-32602)',
    ],
  ])('of what %s has its words', async (_what, scene, error) => {
    const { simulated } = await build(scene)
    expect(simulated).toEqual({ error, changes: [], lamports: 0n, rentLamports: 0n, feeLamports: 0n })
  })

  const refusing = () => {
    throw new RpcRefusal(-32005, 'behind')
  }
  let calls = 0
  test.each<[string, Scene]>([
    ['is refused by a node at fault', { methods: { simulateTransaction: refusing } }],
    ['shows no accounts', { simulated: { accounts: null } }],
    ['shows too few accounts', { simulated: { accounts: [] } }],
    ['says nothing of an error', { simulated: { err: undefined } }],
    ['shows accounts that are none', { simulated: { accounts: [{ lamports: -1 }] } }],
    [
      'has nothing to be compared with',
      { methods: { getMultipleAccounts: () => (++calls === 1 ? { value: TABLES.map((_, table) => tableAccount(table)) } : refusing()) } },
    ],
  ])('that %s leaves no transaction', async (_what, scene) => {
    expect((await build(scene)).result).toMatchObject({ ok: false, retryable: true, reason: expect.stringMatching(/^the RPC /) })
  })

  test('that it has executed before can be built again', async () => {
    const { result } = await build({ simulated: { err: 'AlreadyProcessed', accounts: null } })
    expect(result).toMatchObject({ ok: false, isSpent: true, reason: 'the RPC has executed the same transaction before' })
  })
})
