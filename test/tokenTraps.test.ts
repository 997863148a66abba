import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../src/core/clock.ts'
import { MAINNET_GENESIS } from '../src/core/clusters.ts'
import type { TokenFacts } from '../src/core/tokenFacts.ts'
import { TOKENS, tokenOf, USDC_MINT } from '../src/core/tokens.ts'
import { TokenDesk } from '../src/live/tokens/tokenDesk.ts'
import { type TokenConfig, tokensSchema } from '../src/strategy/tokenConfig.ts'
import { buy, codeOf, join, sell } from './support/guard/guardView.ts'
import { HOOK, MOON_MINT } from './support/tokens/facts.ts'
import { shownMint, startMarketServer } from './support/tokens/marketServer.ts'

// From a mint account, in the form in which the RPC shows it, to what the guard does with a buy and with a sale.

const ISSUER = '7dGbd2QZcCKcTndnHcTL8q7SMVXAkp688NTQYwrRCrar'
const BONK_MINT = tokenOf('BONK')?.mint ?? ''

/** Mint of Token-2022 with all fields that a validator's decoder gives. */
function mint2022(extensions: readonly unknown[], freezeAuthority: string | null = null) {
  const shown = shownMint(6, extensions)
  return { ...shown, data: withAuthority(shown.data, freezeAuthority) }
}

function plainMint(decimals: number, freezeAuthority: string | null) {
  const shown = shownMint(decimals)
  return { ...shown, data: withAuthority(shown.data, freezeAuthority) }
}

const withAuthority = (data: ReturnType<typeof shownMint>['data'], freezeAuthority: string | null) => ({
  ...data,
  parsed: { ...data.parsed, info: { ...data.parsed.info, freezeAuthority, mintAuthority: null } },
})

function feeConfig(transferFeeConfigAuthority: string | null, transferFeeBasisPoints = 0) {
  const fee = { epoch: 600, maximumFee: 1_000_000, transferFeeBasisPoints }
  const authorities = { transferFeeConfigAuthority, withdrawWithheldAuthority: ISSUER, withheldAmount: 0 }
  return { extension: 'transferFeeConfig', state: { ...authorities, olderTransferFee: fee, newerTransferFee: fee } }
}
const hook = (authority: string | null, programId: string | null) => ({ extension: 'transferHook', state: { authority, programId } })
const pausable = (authority: string | null, paused: boolean) => ({ extension: 'pausableConfig', state: { authority, paused } })
const accountState = (state: string) => ({ extension: 'defaultAccountState', state: { accountState: state } })
const delegate = (address: string | null) => ({ extension: 'permanentDelegate', state: { delegate: address } })
const METADATA = [
  { extension: 'metadataPointer', state: { authority: ISSUER, metadataAddress: MOON_MINT } },
  {
    extension: 'tokenMetadata',
    state: { updateAuthority: ISSUER, mint: MOON_MINT, name: 'Moon', symbol: 'MOON', uri: '', additionalMetadata: [] },
  },
]

interface Told {
  readonly facts: TokenFacts | undefined
  readonly buy: string
  readonly join: string
  readonly sell: string
}

async function told(mint: string, account: unknown, row: Partial<TokenConfig> | undefined): Promise<Told> {
  const symbol = TOKENS.find((token) => token.mint === mint)?.symbol ?? 'MOON'
  const tokens = row === undefined ? [] : tokensSchema.parse([{ mint, symbol, ...row }])
  await using market = await startMarketServer({ accounts: { [mint]: account } })
  const desk = new TokenDesk({
    ...{ tokens, priceUrl: market.priceUrl, apiKey: undefined, rpcUrl: market.rpcUrl, clock: new VirtualClock(1000) },
    ...{ genesis: [MAINNET_GENESIS], timeoutMs: 60_000, file: undefined, log: () => {} },
  })
  let newest: readonly TokenFacts[] = []
  desk.facts$.subscribe((facts) => {
    newest = facts
  })
  await desk.start({ isOnce: true })
  await desk.close()
  const facts = newest.filter((each) => each.mint === mint)
  const view = {
    tokens: facts,
    prices: { [mint]: { price: '0.5', ageMs: 1000 } },
    traded: { c: { held: { [mint]: 10n ** 9n } } },
  }
  return {
    facts: facts[0],
    buy: codeOf(buy({ to: mint }), view),
    join: codeOf(join(), { ...view, joinable: { c: { mode: 'same_token', token: mint } } }),
    sell: codeOf(sell({ from: mint, amount: 1_000_000n }), view),
  }
}

const NO_LEAVE = {
  ...{ maxTransferFeeBps: 10_000, allowTransferHook: true, allowFreezeAuthority: true },
  ...{ allowPermanentDelegate: true, allowFeeChange: true },
}

describe('a mint that could not be sold again', () => {
  test.each<[string, unknown, RegExp]>([
    ['is frozen by default', mint2022([accountState('frozen')], ISSUER), /^each new account of it is frozen/],
    ['is not transferable', mint2022([{ extension: 'nonTransferable' }]), /^it cannot be transferred/],
    ['is paused', mint2022([pausable(ISSUER, true)]), /^its issuer has paused all transfers/],
    ['is paused for ever', mint2022([pausable(null, true)]), /^its issuer has paused all transfers/],
    [
      'counts its amounts with a multiplier',
      mint2022([{ extension: 'scaledUiAmountConfig', state: { authority: null, multiplier: '2' } }]),
      /\(scaledUiAmountConfig\)/,
    ],
    ['has an extension of tomorrow', mint2022([...METADATA, { extension: 'rentedOut', state: {} }]), /\(rentedOut\)/],
    ['has an extension that objects have by themselves', mint2022([{ extension: 'constructor' }]), /\(constructor\)/],
  ])('%s: nothing in the config allows it, and a sale passes', async (_what, account, message) => {
    const { facts, ...codes } = await told(MOON_MINT, account, NO_LEAVE)
    expect(facts?.trouble).toMatchObject({ kind: 'barred', message: expect.stringMatching(message) as string })
    expect(codes).toEqual({ buy: 'TOKEN_BARRED', join: 'TOKEN_BARRED', sell: 'approved' })
  })
})

describe('a power of the issuer', () => {
  test.each<[string, unknown, Partial<TokenConfig>, Record<string, string>]>([
    ['to freeze', plainMint(6, ISSUER), { allowFreezeAuthority: true }, { freeze: ISSUER }],
    ['to freeze, of Token-2022', mint2022([accountState('initialized')], ISSUER), { allowFreezeAuthority: true }, { freeze: ISSUER }],
    ['to pause', mint2022([pausable(ISSUER, false)]), { allowFreezeAuthority: true }, { pause: ISSUER }],
    ['to take it away', mint2022([delegate(ISSUER)]), { allowPermanentDelegate: true }, { seize: ISSUER }],
    ['to raise a fee of 0', mint2022([feeConfig(ISSUER)]), { allowFeeChange: true }, { changeFee: ISSUER }],
    ['to set a hook', mint2022([hook(ISSUER, null)]), { allowTransferHook: true }, { changeHook: ISSUER }],
    [
      'of three kinds',
      mint2022([delegate(HOOK), feeConfig(HOOK)], ISSUER),
      { allowFreezeAuthority: true, allowPermanentDelegate: true, allowFeeChange: true },
      { freeze: ISSUER, seize: HOOK, changeFee: HOOK },
    ],
  ])('%s is refused until its row allows each, and a sale passes', async (_what, account, leave, said) => {
    const refused = await told(MOON_MINT, account, {})
    expect(refused).toMatchObject({ buy: 'TOKEN_BARRED', join: 'TOKEN_BARRED', sell: 'approved' })
    expect(refused.facts?.trouble?.said).toEqual(said)
    for (const field of Object.keys(leave)) {
      expect(refused.facts?.trouble?.message).toContain(`${field}: true`)
      const { [field as keyof TokenConfig]: _, ...others } = { ...NO_LEAVE, ...leave }
      expect((await told(MOON_MINT, account, others)).buy).toBe('TOKEN_BARRED')
    }
    const allowed = await told(MOON_MINT, account, leave)
    expect(allowed.facts).not.toHaveProperty('trouble')
    expect(allowed).toMatchObject({ buy: 'approved', sell: 'approved' })
  })

  test('is none where nobody holds it', async () => {
    const extensions = [...METADATA, accountState('initialized'), pausable(null, false), delegate(null), feeConfig(null), hook(null, null)]
    expect(await told(MOON_MINT, mint2022(extensions), {})).toMatchObject({ buy: 'approved', join: 'approved', sell: 'approved' })
  })

  test('to raise a fee, once allowed, still leaves the fee to its limit', async () => {
    const row = { allowFeeChange: true, maxTransferFeeBps: 50 }
    expect(await told(MOON_MINT, mint2022([feeConfig(ISSUER, 51)]), row)).toMatchObject({ buy: 'TOKEN_TRANSFER_FEE', sell: 'approved' })
    expect(await told(MOON_MINT, mint2022([feeConfig(ISSUER, 50)]), row)).toMatchObject({ buy: 'approved' })
  })

  test('to call a program is named as before', async () => {
    expect(await told(MOON_MINT, mint2022([hook(null, HOOK)]), {})).toMatchObject({ buy: 'TOKEN_TRANSFER_HOOK', sell: 'approved' })
  })
})

test.each([
  accountState('melted'),
  pausable(ISSUER, 'no' as never),
  delegate(7 as never),
  { extension: 'pausableConfig' },
])('the state %j has a form that the RPC does not give: nothing is bought, and a sale passes', async (extension) => {
  const { facts, ...codes } = await told(MOON_MINT, mint2022([extension]), { ...NO_LEAVE, decimals: 6, program: 'token-2022' })
  expect(facts?.trouble?.message).toBe('the RPC shows its extensions in another form: use another in market.rpcUrl')
  expect(codes).toEqual({ buy: 'TOKEN_UNKNOWN', join: 'TOKEN_UNKNOWN', sell: 'approved' })
})

describe('a token of the table', () => {
  test('has the powers that it is known to have', async () => {
    const usdc = await told(USDC_MINT, plainMint(6, ISSUER), undefined)
    expect(usdc.facts).toBeUndefined()
    const bonk = await told(BONK_MINT, plainMint(5, null), undefined)
    expect(bonk).toEqual({ facts: undefined, buy: 'approved', join: 'approved', sell: 'approved' })
  })

  test('with a power beyond those is not bought, and sold', async () => {
    const bonk = await told(BONK_MINT, plainMint(5, ISSUER), undefined)
    expect(bonk).toMatchObject({ buy: 'TOKEN_BARRED', join: 'TOKEN_BARRED', sell: 'approved' })
    expect(bonk.facts?.trouble).toEqual({
      kind: 'barred',
      message: `its issuer can freeze it in the agent's wallet (by ${ISSUER}): swap another token, or accept that with allowFreezeAuthority: true in its row of market.tokens`,
      said: { freeze: ISSUER },
    })
    expect(await told(BONK_MINT, plainMint(5, ISSUER), { allowFreezeAuthority: true })).toMatchObject({ buy: 'approved' })
  })
})

test('USDC that its issuer changed is not paid out, and every sale into it passes', async () => {
  const usdc = await told(USDC_MINT, mint2022([delegate(ISSUER)], ISSUER), undefined)
  const view = { tokens: usdc.facts === undefined ? [] : [usdc.facts], traded: { c: { held: { [BONK_MINT]: 10n ** 9n } } } }
  const priced = { ...view, prices: { [BONK_MINT]: { price: '0.5', ageMs: 1000 } } }
  expect(codeOf(buy({ to: BONK_MINT }), priced)).toBe('TOKEN_CONTRADICTED')
  expect(codeOf(sell({ from: BONK_MINT, amount: 1_000_000n }), priced)).toBe('approved')
})

test('without an RPC a mint of the config may have a freeze authority, which its row can accept', async () => {
  await using market = await startMarketServer({ listed: [] })
  const troubleOf = async (row: Partial<TokenConfig>) => {
    const desk = new TokenDesk({
      ...{ tokens: tokensSchema.parse([{ mint: MOON_MINT, symbol: 'MOON', decimals: 6, program: 'spl-token', ...row }]) },
      ...{ priceUrl: market.priceUrl, apiKey: undefined, rpcUrl: undefined, clock: new VirtualClock(1000) },
      ...{ timeoutMs: 60_000, file: undefined, log: () => {} },
    })
    let newest: readonly TokenFacts[] = []
    desk.facts$.subscribe((facts) => {
      newest = facts
    })
    await desk.start({ isOnce: true })
    await desk.close()
    return newest.find(({ mint }) => mint === MOON_MINT)?.trouble
  }
  expect(await troubleOf({})).toMatchObject({ kind: 'unknown', message: expect.stringContaining('set market.rpcUrl') as string })
  expect(await troubleOf({ allowFreezeAuthority: true })).toBeUndefined()
})
