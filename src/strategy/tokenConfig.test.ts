import { expect, test } from 'vitest'
import { MOON_MINT } from '../../test/support/tokens/facts.ts'
import { tokenOf } from '../core/tokens.ts'
import { tokensSchema } from './tokenConfig.ts'

const OTHER_MINT = 'StarToken1111111111111111111111111111111111'
const JUP = tokenOf('JUP')?.mint ?? ''
const moon = { mint: MOON_MINT, symbol: 'MOON' }

test('a mint and a symbol are enough: nothing is let in of its own accord', () => {
  expect(tokensSchema.parse([moon])).toEqual([{ ...moon, maxTransferFeeBps: 0, allowTransferHook: false }])
  expect(tokensSchema.parse([{ mint: JUP, symbol: 'JUP', maxTransferFeeBps: 5 }])).toHaveLength(1)
})

test.each<[string, readonly unknown[], string]>([
  ['two entries of one mint', [moon, { ...moon, symbol: 'LUNA' }], '1.mint: named above already: one entry a mint'],
  ['the symbol of a known token', [{ ...moon, symbol: 'JUP' }], `0.symbol: JUP is the symbol of ${JUP}: give this one another`],
  ['a symbol twice', [moon, { mint: OTHER_MINT, symbol: 'MOON' }], `1.symbol: MOON is the symbol of ${MOON_MINT}: give this one another`],
  ['a known token by another name', [{ mint: JUP, symbol: 'JUPITER' }], '0.symbol: the mint is the known token JUP: call it that'],
  ['a known token with other decimals', [{ mint: JUP, symbol: 'JUP', decimals: 9 }], '0.decimals: JUP has 6: leave it out'],
  [
    'a known token of another program',
    [{ mint: JUP, symbol: 'JUP', program: 'token-2022' }],
    '0.program: JUP is of spl-token: leave it out',
  ],
])('%s is a mistake', (_what, tokens, message) => {
  const read = tokensSchema.safeParse(tokens)
  expect(read.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([message])
})

test.each<[unknown, string]>([
  [{ ...moon, mint: 'x' }, 'mint'],
  [{ ...moon, mint: `${MOON_MINT.slice(0, -1)}0` }, 'mint'],
  [{ ...moon, symbol: 'a b' }, 'symbol'],
  [{ ...moon, decimals: 10 }, 'decimals'],
  [{ ...moon, decimals: 1.5 }, 'decimals'],
  [{ ...moon, program: 'solana' }, 'program'],
  [{ ...moon, maxTransferFeeBps: 10_001 }, 'maxTransferFeeBps'],
])('%o is no token', (token, field) => {
  expect(tokensSchema.safeParse([token]).error?.issues.map(({ path }) => path.at(-1))).toEqual([field])
})
