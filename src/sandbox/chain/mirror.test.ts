import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSandbox, outputOf, type TestSandbox } from '../../../test/support/sandbox/openTestSandbox.ts'
import type { CommandBody } from '../../contests/index.ts'
import { type Mint, SOL_MINT, tokenOf, USDC_MINT } from '../../core/tokens.ts'
import type { Chain } from './chain.ts'
import { holdingOf, knownToken, tokenAddress } from './tokenAccounts.ts'

// What the ledger does without the chain (stakes, payouts, deposits, the house's own trades) is on the chain when it is next looked at.

const WIF = tokenOf('WIF')?.mint ?? ''
const PUMP = tokenOf('PUMP')?.mint ?? ''

let sandbox: TestSandbox
let chain: Chain
let agentId: string
let wallet: string

beforeAll(async () => {
  sandbox = await openTestSandbox({ house: false })
  chain = (await sandbox.service.trading()).chain
  const [alice] = sandbox.agents
  agentId = alice?.agentId ?? ''
  wallet = alice?.wallet ?? ''
})
afterAll(() => sandbox.close())

const obey = (body: CommandBody) => expect(sandbox.service.dispatch(body)).toMatchObject({ ok: true })
const held = (owner: string, mint: Mint) => {
  const account = chain.account(tokenAddress(owner, knownToken(mint)))
  return account && holdingOf(account)?.amount
}

test('a new wallet has its USDC and the whole of its SOL', () => {
  expect(held(wallet, USDC_MINT)).toBe(1_000_000_000n)
  expect(chain.account(wallet)?.lamports).toBe(1_000_000_000n)
  expect(chain.problems()).toEqual([])
})

test('deposits and trades that no transaction made are there, for both token programs, and the rent is the wallet’s', () => {
  obey({ type: 'deposit', agentId, amount: 5_000_000n })
  obey({ type: 'depositToken', agentId, mint: WIF, amount: 700n })
  obey({ type: 'depositLamports', agentId, amount: 11n })
  const changes = [
    { mint: USDC_MINT, delta: -1_000_000n },
    { mint: PUMP, delta: 250n },
  ]
  obey({ type: 'fill', agentId, contestId: null, signature: 'none', changes, feeLamports: 1n })
  expect(held(wallet, USDC_MINT)).toBe(1_004_000_000n)
  expect(held(wallet, WIF)).toBe(700n)
  expect(held(wallet, PUMP)).toBe(250n)
  expect(chain.account(wallet)?.lamports).toBe(1_000_000_000n + 10n - 2n * chain.rentOf(165))
  expect(chain.problems()).toEqual([])
})

test('SOL that was bought is in the wallet, where it can pay fees', () => {
  const before = chain.account(wallet)?.lamports ?? 0n
  const changes = [
    { mint: USDC_MINT, delta: -1_000_000n },
    { mint: SOL_MINT, delta: 5_000_000n },
  ]
  obey({ type: 'fill', agentId, contestId: null, signature: 'none', changes, feeLamports: 0n })
  expect(chain.account(wallet)?.lamports).toBe(before + 5_000_000n)
  expect(chain.problems()).toEqual([])
})

test('a stake goes to the vault and comes back as the payout, less the rake', async () => {
  const wanted = { mode: 'up_down', stake: '10000000', durationSec: 15, opponents: 'AGENT' }
  outputOf(await sandbox.post('agent.queue.enqueue', wanted))
  expect(held(chain.house.vault, USDC_MINT)).toBe(10_000_000n)
  outputOf(await sandbox.post('agent.queue.enqueue', wanted, sandbox.agents[1]?.key))
  expect(held(chain.house.vault, USDC_MINT)).toBe(20_000_000n)
  sandbox.advance(30_000)
  expect(held(chain.house.vault, USDC_MINT)).toBe(0n)
  expect(held(chain.house.rake, USDC_MINT)).toBe(1_000_000n)
  expect(chain.problems()).toEqual([])
})
