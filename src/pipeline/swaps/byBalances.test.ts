import { describe, expect, test } from 'vitest'
import { SOL_MINT, tokenOf, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import type { SwapRecord } from '../protocol/input.ts'
import { byBalances, type Compared } from './byBalances.ts'

const BONK_MINT = tokenOf('BONK')?.mint ?? ''
const BEFORE = { total: usdc('1000'), gasLamports: 1_000_000n, profit: usdc('-2') }

interface Moved {
  readonly from?: string
  readonly to?: string
  /** Micro-USDC and lamports that the wallet has more than before. */
  readonly usdc?: bigint
  readonly lamports?: bigint
  readonly settled?: bigint
  readonly before?: SwapRecord['before']
  readonly either?: readonly bigint[]
  readonly doubtful?: readonly bigint[]
}

/** A swap of 10 USDC's worth, of which at least 9.95 come back. */
function compared({ from = USDC_MINT, to = SOL_MINT, usdc: moved = 0n, lamports = 0n, settled = 0n, ...rest }: Moved): Compared {
  const record: SwapRecord = {
    key: 'k',
    wallet: 'w',
    transaction: 't',
    lastValidBlockHeight: 1,
    sentAt: 0,
    given: usdc('10'),
    quotedOut: usdc('10'),
    minOut: usdc('9.95'),
    signature: undefined,
    before: 'before' in rest ? rest.before : BEFORE,
  }
  const after = { total: BEFORE.total + moved, gasLamports: BEFORE.gasLamports + lamports, profit: BEFORE.profit + settled }
  return {
    action: { type: 'swap', contestId: 'c', from, to, amount: usdc('10') },
    record,
    after,
    unsure: { either: rest.either ?? [], doubtful: rest.doubtful ?? [] },
  }
}

const buy = {}
const sale = { from: SOL_MINT, to: USDC_MINT }
const exchange = { from: SOL_MINT, to: BONK_MINT }
const FEE = -5000n

describe('by the balances a swap has', () => {
  test.each<[string, string, Moved]>([
    ['not landed', 'nothing has moved', buy],
    ['not landed', 'nothing has moved of a sale', sale],
    ['not landed', 'nothing has moved of an exchange', exchange],
    ['not landed', 'only the fee is gone: it failed there', { ...buy, lamports: FEE }],
    ['not landed', 'only the fee of a sale is gone', { ...sale, lamports: FEE }],
    ['not landed', 'a contest has paid out, and that is all', { ...buy, usdc: usdc('0.9'), settled: usdc('0.9') }],
    ['landed', 'the USDC is gone, and the fee', { ...buy, usdc: usdc('-10'), lamports: FEE }],
    ['landed', 'the USDC is gone and a contest has paid out', { ...buy, usdc: usdc('-9.1'), settled: usdc('0.9'), lamports: FEE }],
    ['landed', 'a contest was lost beside it', { ...buy, usdc: usdc('-11'), settled: usdc('-1'), lamports: FEE }],
    ['landed', 'the least of a sale has come', { ...sale, usdc: usdc('9.95'), lamports: FEE }],
    ['landed', 'more of a sale has come, and SOL with it', { ...sale, usdc: usdc('10.2'), lamports: 2_000_000n }],
    ['not landed', 'a loss may have been in the figures before', { ...buy, usdc: usdc('5'), doubtful: [usdc('-5'), usdc('0.9')] }],
    ['not landed', 'two of three may have been', { ...buy, usdc: usdc('4'), doubtful: [usdc('-5'), usdc('1'), usdc('7')] }],
    ['landed', 'one may have been, and the fee is gone', { ...buy, usdc: usdc('-5'), lamports: FEE, doubtful: [usdc('-5')] }],
    ['landed', 'all is well without it', { ...buy, usdc: usdc('-10'), lamports: FEE, doubtful: [usdc('10')] }],
    [
      'undecided',
      'what may have been says the one and the other',
      { ...buy, usdc: usdc('-5'), lamports: FEE, doubtful: [usdc('-5'), usdc('5')] },
    ],
    ['undecided', 'a contest that was settled meanwhile makes it the other', { ...buy, lamports: FEE, either: [usdc('-10')] }],
    ['landed', 'a contest that was settled meanwhile explains it', { ...buy, usdc: usdc('-8'), lamports: FEE, either: [usdc('-2')] }],
    [
      'landed',
      'the clocks alone would make it the other',
      { ...buy, usdc: usdc('-8'), lamports: FEE, either: [usdc('-2')], doubtful: [usdc('10')] },
    ],
    ['undecided', 'no choice of them explains it', { ...buy, usdc: usdc('4'), doubtful: [usdc('-5'), usdc('0.9')] }],
    ['not landed', 'many alike may have been', { ...buy, usdc: usdc('1'), doubtful: Array<bigint>(70).fill(usdc('-1')) }],
    [
      'undecided',
      'there are too many of them',
      { ...buy, usdc: usdc('1'), doubtful: Array.from({ length: 12 }, (_, n) => usdc('1') << BigInt(n)) },
    ],
    ['undecided', 'nobody read the balances before', { ...buy, usdc: usdc('-10'), lamports: FEE, before: undefined }],
    ['undecided', 'the USDC is gone and no fee', { ...buy, usdc: usdc('-10') }],
    ['undecided', 'less USDC is gone', { ...buy, usdc: usdc('-9.99'), lamports: FEE }],
    ['undecided', 'more USDC is gone', { ...buy, usdc: usdc('-10.01'), lamports: FEE }],
    ['undecided', 'less than the least of a sale has come', { ...sale, usdc: usdc('9.949999'), lamports: FEE }],
    ['undecided', 'USDC is gone in a sale', { ...sale, usdc: usdc('-1'), lamports: FEE }],
    ['undecided', 'it moved no USDC, and the fee is paid', { ...exchange, lamports: FEE }],
  ])('%s where %s', (verdict, _, moved) => {
    expect(byBalances(compared(moved))).toBe(verdict === 'not landed' ? 'notLanded' : verdict)
  })
})
