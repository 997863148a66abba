import { type AddressLookupTableAccount, AddressLookupTableProgram, PublicKey } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { TOKEN_ACCOUNT_STATE, TOKEN_PROGRAM_ID, tokenAccountBytes } from '../src/core/tokenProgram.ts'
import { type Mint, USDC_MINT } from '../src/core/tokens.ts'
import { usdc } from '../src/core/usdc.ts'
import { inspectTransaction } from '../src/guard/index.ts'
import { tableBytes } from '../src/sandbox/chain/lookupTables.ts'
import { guardConfig } from '../src/strategy/guardConfig.ts'
import { assembled } from './support/guard/inspection/editing.ts'
import { accountOf } from './support/guard/inspection/fixtures.ts'
import { STRANGER } from './support/guard/inspection/mutations.ts'
import { AGENT, AMOUNT, DEX, hopOf, OUT, pairOf } from './support/guard/inspection/pairs.ts'
import { FEES, type Methods, openSwapWorld, QUOTE } from './support/swapWorld.ts'

// A DEX whose quotes are fine, and whose transactions name lookup tables that hold something else than it says.

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
const wallet = AGENT.publicKey.toBase58()
const own = { usdc: accountOf(wallet, USDC_MINT).toBase58(), bonk: accountOf(wallet, BONK).toBase58() }
const dexUsdc = accountOf(DEX.publicKey.toBase58(), USDC_MINT).toBase58()
const theirs = accountOf(STRANGER.toBase58(), BONK).toBase58()
const TABLE_PROGRAM = AddressLookupTableProgram.programId.toBase58()

type Tables = ReadonlyMap<string, readonly string[]>

interface Chain {
  /** What the tables hold on the chain, of what the DEX says they hold: undefined for one that is not there. */
  readonly tables?: (said: readonly string[]) => readonly string[] | undefined
  readonly tableOwner?: string
  /** Whom the swap pays when it is simulated. */
  readonly paid?: string
  readonly hasRpc?: boolean
}

const encoded = (owner: string, data: Uint8Array) => ({
  lamports: 2_039_280,
  owner,
  data: [Buffer.from(data).toString('base64'), 'base64'],
})

function holding(mint: Mint, owner: string, amount: bigint) {
  const state = TOKEN_ACCOUNT_STATE.initialized
  const none = { delegate: undefined, nativeReserve: undefined, delegatedAmount: 0n, closeAuthority: undefined }
  const data = tokenAccountBytes({ mint: new PublicKey(mint), owner: new PublicKey(owner), amount, state, ...none })
  return encoded(TOKEN_PROGRAM_ID.toBase58(), data)
}

/** The accounts of the swap before and after it; of others there is nothing to see. */
function accountAt(address: string, isAfter: boolean, paid: string) {
  if (address === own.usdc) return holding(USDC_MINT, wallet, 9_000_000n - (isAfter ? AMOUNT : 0n))
  if (address === own.bonk) return holding(BONK, wallet, isAfter && paid === own.bonk ? OUT : 0n)
  return null
}

function methodsOf(said: Tables, { tables = (addresses) => addresses, tableOwner = TABLE_PROGRAM, paid = own.bonk }: Chain): Methods {
  const tableAt = (name: string) => {
    const addresses = tables(said.get(name) ?? [])
    if (addresses === undefined) return null
    const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0 }
    return encoded(
      tableOwner,
      tableBytes({ state: { ...state, addresses: addresses.map((address) => new PublicKey(address)) } } as AddressLookupTableAccount),
    )
  }
  return {
    getMultipleAccounts: ([names]) => ({
      value: (names as string[]).map((name) => (said.has(name) ? tableAt(name) : accountAt(name, false, paid))),
    }),
    simulateTransaction: ([, how]) => {
      const { addresses } = (how as { accounts: { addresses: string[] } }).accounts
      return { value: { err: null, accounts: addresses.map((address) => accountAt(address, true, paid)) } }
    },
  }
}

/** What the guard says of the swap that the DEX builds, on a chain as it is. */
async function codeOn(chain: Chain, edit = pairOf(USDC_MINT, BONK)): Promise<string> {
  const { bytes, tables: said } = assembled(edit)
  const { hasRpc = true } = chain
  await using world = await openSwapWorld({
    jupiter: (call) =>
      call.json(200, {
        swapTransaction: Buffer.from(bytes).toString('base64'),
        lastValidBlockHeight: 1,
        addressesByLookupTableAddress: Object.fromEntries(said),
      }),
    ...(hasRpc ? { methods: methodsOf(said, chain) } : {}),
  })
  const result = await world.swapper.build({ raw: QUOTE, wallet }, FEES)
  if (!result.ok) throw new Error(result.reason)
  const { minOut, slippageBps } = edit.terms
  const quote = { from: USDC_MINT, to: BONK, inAmount: AMOUNT, outAmount: OUT, minOut, slippageBps, impactBps: 0, askedAt: 0 }
  const judged = inspectTransaction(
    { action: { from: USDC_MINT, to: BONK }, quote, built: result.built, wallet },
    guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('20') }),
  )
  return judged.ok ? 'ok' : judged.refusal.code
}

const instead = (of: string, by: string) => (said: readonly string[]) => said.map((address) => (address === of ? by : address))

test.each<[string, Chain, string]>([
  ['what the DEX says they hold, it is taken', {}, 'ok'],
  ['more than that behind, as tables grow, it is taken', { tables: (said) => [...said, theirs] }, 'ok'],
  ['another account in place of the agent’s for what comes in', { tables: instead(own.bonk, theirs) }, 'TX_ACCOUNT_OPENED'],
  [
    'another account of the agent’s in place of the one that pays',
    { tables: instead(own.usdc, accountOf(wallet, DEX.publicKey.toBase58()).toBase58()) },
    'TX_TOKEN_TRANSFER',
  ],
  ['their order changed', { tables: (said) => said.toReversed() }, 'TX_MALFORMED'],
  ['nothing, since there are none', { tables: () => undefined }, 'TX_TABLE_UNRESOLVED'],
  ['less: what they are to be extended by is not there yet', { tables: (said) => said.slice(0, 3) }, 'TX_TABLE_UNRESOLVED'],
  ['the same in accounts of another program', { tableOwner: TOKEN_PROGRAM_ID.toBase58() }, 'TX_TABLE_UNRESOLVED'],
  ['another account, between the look and the simulation', { paid: theirs }, 'SIMULATION_MISMATCH'],
  ['nobody knows what, without an RPC, whatever the DEX says', { hasRpc: false }, 'TX_TABLE_UNRESOLVED'],
])('where the tables on the chain hold %s', async (_what, chain, code) => {
  expect(await codeOn(chain)).toBe(code)
})

test('an account of a hop in a table is the agent’s on the chain, or the swap is refused', async () => {
  const edit = hopOf(USDC_MINT, BONK, 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm')
  const hop = accountOf(wallet, 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm').toBase58()
  expect(await codeOn({}, edit)).toBe('ok')
  expect(await codeOn({ tables: instead(hop, dexUsdc) }, edit)).toBe('TX_MALFORMED')
  expect(await codeOn({ tables: instead(hop, theirs) }, edit)).toBe('TX_ACCOUNT_OPENED')
})
