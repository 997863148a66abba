import { expect, test } from 'vitest'
import { z } from 'zod'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { defineQueuePolicy } from '../../strategy/define.ts'
import { strategyRowsOf } from './strategyRows.ts'

test('a parameter is of USDC where its description says so, and a number as it stands where not', () => {
  const policy = defineQueuePolicy({
    name: 'policy',
    params: z.object({
      stake: z.bigint().default(usdc('1')).describe('USDC of one entry'),
      amount: z.bigint().describe('USDC of a purchase').default(usdc('2.5')),
      stakes: z
        .array(z.bigint())
        .default([usdc('1'), usdc('5')])
        .describe('USDC of the stakes it tries'),
      lamports: z.bigint().default(5_000_000n).describe('lamports to keep'),
      units: z.bigint().default(7n),
    }),
    decide: () => [],
  })
  const [row] = strategyRowsOf({ strategies: [policy()] }, undefined, new Map())
  expect(row?.params).toEqual({ stake: '1.00 USDC', amount: '2.50 USDC', stakes: '1.00 USDC, 5.00 USDC', lamports: '5000000', units: '7' })
})

test('a token is called by its symbol, where it has one', () => {
  const policy = defineQueuePolicy({
    name: 'policy',
    params: z.object({ token: z.string(), pair: z.array(z.string()) }),
    decide: () => [],
  })
  const [row] = strategyRowsOf({ strategies: [policy({ token: SOL_MINT, pair: [USDC_MINT, 'another'] })] }, undefined, new Map())
  expect(row?.params).toEqual({ token: 'SOL', pair: 'USDC, another' })
})
