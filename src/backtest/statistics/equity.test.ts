import { expect, test } from 'vitest'
import { testContest } from '../../../test/support/backtest/testRun.ts'
import { usdc } from '../../core/usdc.ts'
import { equityOf } from './equity.ts'

const after = (...profits: readonly string[]) => profits.map((profit, index) => testContest({ profit: usdc(profit), endedAt: index }))

test('the bankroll is the first peak, and a drawdown is a share of the last one', () => {
  const curve = equityOf({ bankroll: usdc('10'), contests: after('-1', '0', '11', '-5') })
  expect(curve.map(({ equity }) => equity)).toEqual([usdc('9'), usdc('9'), usdc('20'), usdc('15')])
  expect(curve.map(({ drawdown }) => drawdown)).toEqual([0.1, 0.1, 0, 0.25])
  expect(curve.map(({ at }) => at)).toEqual([0, 1, 2, 3])
})

test('nothing can be lost of a peak of nothing', () => {
  const curve = equityOf({ bankroll: 0n, contests: after('-1', '3', '-1') })
  expect(curve.map(({ drawdown }) => drawdown)).toEqual([null, 0, 0.5])
})
