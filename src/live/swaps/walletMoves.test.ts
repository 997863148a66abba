import { describe, expect, test } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { type AccountMove, type AccountState, walletChanges, walletMoves } from './walletMoves.ts'

const [WALLET, OTHER] = ['wallet', 'somebody else']
const RENT = 2_039_280n
const FEE = 5000n
const NONE: AccountState = { lamports: 0n, token: undefined }

const plain = (lamports: bigint): AccountState => ({ lamports, token: undefined })
const token = (mint: string, amount: bigint, owner = WALLET): AccountState => ({
  lamports: RENT + (mint === SOL_MINT ? amount : 0n),
  token: { mint, owner, amount },
})
const wallet = (before: bigint, after: bigint): AccountMove => ({ address: WALLET, before: plain(before), after: plain(after) })
const account = (before: AccountState, after: AccountState, address = 'account'): AccountMove => ({ address, before, after })

const changesOf = (moves: readonly AccountMove[]) =>
  Object.fromEntries(walletChanges(walletMoves(WALLET, moves), FEE).map(({ mint, delta }) => [mint, delta]))

describe('of a wallet', () => {
  test.each<[string, readonly AccountMove[], Record<string, bigint>]>([
    ['a fee alone moves nothing', [wallet(9_000n, 4_000n)], {}],
    [
      'USDC for SOL that is unwrapped: its account is opened and closed',
      [wallet(100_000n, 100_000n - FEE + 700n), account(token(USDC_MINT, 50n), token(USDC_MINT, 20n)), account(NONE, NONE, 'wrapped')],
      { [USDC_MINT]: -30n, [SOL_MINT]: 700n },
    ],
    [
      'USDC for SOL that stays wrapped: rent is no price',
      [wallet(RENT + 9000n, 4000n), account(token(USDC_MINT, 50n), token(USDC_MINT, 20n)), account(NONE, token(SOL_MINT, 700n), 'wrapped')],
      { [USDC_MINT]: -30n, [SOL_MINT]: 700n },
    ],
    [
      'SOL for a token whose account is opened',
      [wallet(RENT + 9000n, 3000n), account(NONE, token(USDC_MINT, 20n))],
      { [USDC_MINT]: 20n, [SOL_MINT]: -1000n },
    ],
    ['wrapped SOL unwrapped: it is the same SOL, and rent no gain', [wallet(FEE, RENT + 700n), account(token(SOL_MINT, 700n), NONE)], {}],
    [
      'an account opened where lamports lay already',
      [wallet(RENT + 9000n, 4000n + 1n), account(plain(1n), token(USDC_MINT, 20n))],
      { [USDC_MINT]: 20n },
    ],
    [
      'two accounts of one token count together',
      [
        wallet(FEE, 0n),
        account(token(USDC_MINT, 50n), token(USDC_MINT, 20n)),
        account(token(USDC_MINT, 0n), token(USDC_MINT, 30n), 'second'),
      ],
      {},
    ],
    [
      'an account given away is gone with its rent and all that is in it',
      [wallet(FEE, 0n), account(token(SOL_MINT, 700n), token(SOL_MINT, 700n, OTHER))],
      { [SOL_MINT]: -700n - RENT },
    ],
    [
      'an account opened for somebody else is paid for',
      [wallet(RENT + FEE, 0n), account(NONE, token(USDC_MINT, 20n, OTHER))],
      { [SOL_MINT]: -RENT },
    ],
    [
      'what others gain and lose is theirs',
      [wallet(FEE, 0n), account(token(USDC_MINT, 9n, OTHER), token(USDC_MINT, 1n, OTHER)), account(plain(5n), plain(9n))],
      {},
    ],
  ])('%s', (_what, moves, changes) => {
    expect(changesOf(moves)).toEqual(changes)
  })

  test('the parts are told apart', () => {
    const moves = [wallet(RENT + 9000n, 4000n), account(NONE, token(SOL_MINT, 700n))]
    expect(walletMoves(WALLET, moves)).toEqual({ tokens: new Map([[SOL_MINT, 700n]]), lamports: -RENT - FEE, rentLamports: RENT })
  })
})
