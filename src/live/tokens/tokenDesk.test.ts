import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder } from '../../../test/support/replaying.ts'
import { HOOK, MOON_MINT } from '../../../test/support/tokens/facts.ts'
import { type MarketServer, shownFee, shownMint, startMarketServer } from '../../../test/support/tokens/marketServer.ts'
import { VirtualClock } from '../../core/clock.ts'
import { MAINNET_GENESIS } from '../../core/clusters.ts'
import type { TokenFacts } from '../../core/tokenFacts.ts'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '../../core/tokenProgram.ts'
import { tokenOf } from '../../core/tokens.ts'
import type { TokenConfig } from '../../strategy/tokenConfig.ts'
import { TokenDesk } from './tokenDesk.ts'

const LAUNCHCOIN = tokenOf('LAUNCHCOIN')?.mint ?? ''
/** The known tokens of Token-2022, as the chain has them. */
const KNOWN = {
  [LAUNCHCOIN]: shownMint(9, [feeConfig(0, 0)]),
  [tokenOf('PUMP')?.mint ?? '']: shownMint(6, []),
  [tokenOf('AI16Z')?.mint ?? '']: shownMint(9, []),
}

function feeConfig(older: number, newer: number, newerFrom = 0, state = {}) {
  const fees = { olderTransferFee: shownFee(0, older), newerTransferFee: shownFee(newerFrom, newer) }
  return { extension: 'transferFeeConfig', state: { ...fees, ...state } }
}

const named = (fields: Partial<TokenConfig> = {}): TokenConfig => ({
  ...{ mint: MOON_MINT, symbol: 'MOON', maxTransferFeeBps: 0, allowTransferHook: false },
  ...fields,
})
const listed = (decimals: number, program = TOKEN_PROGRAM_ID) => ({
  id: MOON_MINT,
  symbol: 'X',
  decimals,
  tokenProgram: program.toBase58(),
})

interface DeskOptions {
  readonly market: MarketServer
  readonly token?: TokenConfig
  readonly hasRpc?: boolean
  readonly file?: string
}

interface Open extends AsyncDisposable {
  readonly desk: TokenDesk
  readonly clock: VirtualClock
  readonly problems: readonly string[]
  /** What is known of MOON, or another token. */
  facts(mint?: string): TokenFacts | undefined
}

async function open({ market, token = named(), hasRpc = true, file }: DeskOptions): Promise<Open> {
  const problems: string[] = []
  const clock = new VirtualClock(1000)
  const desk = new TokenDesk({
    ...{ tokens: [token], priceUrl: market.priceUrl, apiKey: undefined, rpcUrl: hasRpc ? market.rpcUrl : undefined, clock },
    ...{ genesis: [MAINNET_GENESIS], timeoutMs: 60_000, file, log: (problem: string) => problems.push(problem) },
  })
  let newest: readonly TokenFacts[] = []
  desk.facts$.subscribe((facts) => {
    newest = facts
  })
  await desk.start()
  return {
    ...{ desk, clock, problems, facts: (mint = MOON_MINT) => newest.find((facts) => facts.mint === mint) },
    [Symbol.asyncDispose]: () => desk.close(),
  }
}

const marketWith = (moon: unknown, changes = {}) => startMarketServer({ accounts: { ...KNOWN, [MOON_MINT]: moon }, ...changes })

describe('decimals and program', () => {
  test('are what the config says, or the mint account, or the API', async () => {
    await using market = await marketWith(shownMint(7), { listed: [] })
    await using byChain = await open({ market })
    expect(byChain.facts()).toEqual({ ...named(), decimals: 7, tokenProgram: 'spl-token' })
    await using api = await startMarketServer({ listed: [listed(5)] })
    await using byApi = await open({ market: api, hasRpc: false, token: named({ allowFreezeAuthority: true }) })
    expect(byApi.facts()).toEqual({ ...named(), decimals: 5, tokenProgram: 'spl-token' })
    expect(api.searches).toEqual([`/tokens/v2/search?query=${MOON_MINT}`])
    await using nothing = await startMarketServer({ listed: [] })
    const token = named({ decimals: 4, program: 'spl-token', allowFreezeAuthority: true })
    await using byConfig = await open({ market: nothing, hasRpc: false, token })
    expect(byConfig.facts()).toMatchObject({ decimals: 4, tokenProgram: 'spl-token' })
    expect(byConfig.facts()).not.toHaveProperty('trouble')
  })

  test('that nobody says are not guessed, and it is said who could', async () => {
    await using market = await startMarketServer({ listed: [] })
    await using world = await open({ market, hasRpc: false })
    expect(world.facts()).toMatchObject({ decimals: undefined, trouble: { kind: 'unknown' } })
    expect(world.facts()?.trouble?.message).toBe(
      'its decimals are not known: set market.rpcUrl; the Tokens API does not list it; or write its decimals and program in market.tokens',
    )
  })

  test('of the API do not say what a mint of Token-2022 keeps back: only the RPC is named for that', async () => {
    await using market = await startMarketServer({ listed: [listed(6, TOKEN_2022_PROGRAM_ID)] })
    await using world = await open({ market, hasRpc: false })
    expect(world.facts()).toMatchObject({ decimals: 6, tokenProgram: 'token-2022', trouble: { kind: 'unknown' } })
    expect(world.facts()?.trouble?.message).toBe(
      'a mint of Token-2022 may keep a fee back, or call a hook, which its mint account alone says: set market.rpcUrl',
    )
  })

  test('of the config and the chain that differ are a contradiction, with both numbers', async () => {
    await using market = await marketWith(shownMint(9))
    await using world = await open({ market, token: named({ decimals: 6 }) })
    expect(world.facts()?.trouble).toEqual({
      kind: 'contradicted',
      message: 'market.tokens says 6 for its decimals, its mint account says 9: put its decimals right, or leave it out',
      said: { field: 'decimals', config: 6, chain: 9 },
    })
  })

  test('of the API and the chain that differ are one, too', async () => {
    await using market = await marketWith(shownMint(9), { listed: [listed(6)] })
    await using world = await open({ market })
    expect(world.facts()?.trouble).toMatchObject({ kind: 'contradicted', said: { field: 'decimals', chain: 9, api: 6 } })
    await using other = await marketWith(shownMint(9), { listed: [listed(9, TOKEN_2022_PROGRAM_ID)] })
    await using programs = await open({ market: other })
    expect(programs.facts()?.trouble).toMatchObject({ said: { field: 'program', chain: 'spl-token', api: 'token-2022' } })
  })

  test.each<[string, unknown, string]>([
    ['nothing', null, 'there is no such account on the chain of market.rpcUrl'],
    ['an account of another program', { owner: HOOK, data: ['', 'base64'] }, `its account is of ${HOOK}, which is no token program`],
    [
      'a token account',
      { ...shownMint(6), data: { parsed: { type: 'account', info: { decimals: 6, isInitialized: true } } } },
      'its account is no mint',
    ],
    [
      'bytes that the node does not take apart',
      { ...shownMint(6), data: ['AAAA', 'base64'] },
      'the RPC does not take its account apart (jsonParsed): use another in market.rpcUrl',
    ],
    [
      'an extension that the node cannot read',
      shownMint(6, [{ extension: 'unparseableExtension' }]),
      'the RPC cannot read all of its extensions: use another in market.rpcUrl',
    ],
    [
      'a fee in another form',
      shownMint(6, [{ extension: 'transferFeeConfig', state: { newerTransferFee: {} } }]),
      'the RPC shows its extensions in another form: use another in market.rpcUrl',
    ],
    ['too many decimals', shownMint(12), 'it has 12 decimals, and at most 9 are counted'],
  ])('are not those of an address with %s', async (_what, account, message) => {
    await using market = await marketWith(account, { listed: [] })
    await using world = await open({ market })
    expect(world.facts()?.trouble).toMatchObject({ kind: 'unknown', message })
  })
})

describe('extensions', () => {
  test('a fee, and a hook, are read', async () => {
    const hook = { extension: 'transferHook', state: { authority: null, programId: HOOK } }
    await using market = await marketWith(shownMint(6, [feeConfig(150, 150), hook]))
    await using world = await open({ market })
    expect(world.facts()).toMatchObject({ transferFee: { feeBps: 150, maximum: 1_000_000_000n }, transferHook: HOOK })
    expect(world.facts()).not.toHaveProperty('trouble')
  })

  test('of two fees the dearer one counts until the newer one holds, and then that one', async () => {
    await using market = await marketWith(shownMint(6, [feeConfig(50, 200, 901)]))
    await using world = await open({ market })
    expect(world.facts()?.transferFee?.feeBps).toBe(200)
    market.says.accounts = { ...KNOWN, [MOON_MINT]: shownMint(6, [feeConfig(200, 50, 901)]) }
    await world.desk.start()
    expect(world.facts()?.transferFee?.feeBps).toBe(200)
    market.says.epoch = 901
    await world.desk.start()
    expect(world.facts()?.transferFee?.feeBps).toBe(50)
  })

  test('that nobody has read are no reason to trust a mint of Token-2022', async () => {
    await using market = await startMarketServer({ listed: [listed(6, TOKEN_2022_PROGRAM_ID)] })
    await using world = await open({ market, hasRpc: false })
    expect(world.facts()?.trouble?.message).toMatch(/^a mint of Token-2022 may keep a fee back, or call a hook, .*: set market\.rpcUrl/)
    expect(world.facts(LAUNCHCOIN)?.trouble?.message).toMatch(/^it keeps a transfer fee back, .*: set market\.rpcUrl/)
    expect(world.facts(tokenOf('PUMP')?.mint)).toBeUndefined()
  })

  test('of a known token are read as well', async () => {
    await using market = await marketWith(shownMint(6), { accounts: { ...KNOWN, [LAUNCHCOIN]: shownMint(9, [feeConfig(0, 300)]) } })
    await using world = await open({ market })
    expect(world.facts(LAUNCHCOIN)).toMatchObject({ symbol: 'LAUNCHCOIN', transferFee: { feeBps: 300 }, maxTransferFeeBps: 0 })
  })
})

test('a fee is looked at again, and a source that was silent sooner', async () => {
  await using market = await marketWith(shownMint(6, [feeConfig(0, 0)]), { listed: [listed(6, TOKEN_2022_PROGRAM_ID)] })
  await using world = await open({ market })
  expect(world.facts()).not.toHaveProperty('transferFee')
  market.says.accounts = { ...KNOWN, [MOON_MINT]: shownMint(6, [feeConfig(0, 90)]) }
  const told = new Promise<readonly TokenFacts[]>((resolve) =>
    world.desk.facts$.subscribe((facts) => {
      if (facts.some(({ mint, transferFee }) => mint === MOON_MINT && transferFee !== undefined)) resolve(facts)
    }),
  )
  world.clock.advanceTo(world.clock.now() + 599_999)
  expect(world.facts()).not.toHaveProperty('transferFee')
  world.clock.advanceTo(world.clock.now() + 1)
  await told
  expect(world.facts()?.transferFee?.feeBps).toBe(90)
})

test('an RPC of another chain is no source', async () => {
  await using market = await marketWith(shownMint(6), { genesis: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG', listed: [] })
  await using world = await open({ market })
  expect(world.facts()?.trouble?.message).toMatch(/^its decimals are not known: market\.rpcUrl is of another chain: Solana's devnet/)
})

describe('what was read is kept', () => {
  const fileIn = (folder: string) => join(folder, 'tokens.json')

  test('and is known while nobody answers', async () => {
    const file = fileIn(emptyFolder())
    await using market = await marketWith(shownMint(6, [feeConfig(0, 80)]), { listed: [listed(6, TOKEN_2022_PROGRAM_ID)] })
    await using first = await open({ market, file })
    const known = first.facts()
    expect(known?.transferFee?.feeBps).toBe(80)
    expect(readdirSync(join(file, '..'))).toEqual(['tokens.json'])
    await using silent = await startMarketServer({ listed: null, genesis: null, accounts: {} })
    await using again = await open({ market: { ...silent, rpcUrl: 'http://127.0.0.1:9/rpc' }, file })
    expect(again.facts()).toEqual(known)
    expect(again.problems).toEqual([])
  })

  test.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['empty', () => ''],
    ['of another version', (text) => text.replace('"version":2', '"version":3')],
    ['of somebody else', () => '{"hello":"world"}'],
    ['of decimals that are none', (text) => text.replaceAll('"decimals":6', '"decimals":-6')],
    ['of keys that poison', () => '{"json":{"__proto__":{"version":1}}}'],
  ])('a file that is %s is said, read anew, and written over', async (_what, damage) => {
    const file = fileIn(emptyFolder())
    await using market = await marketWith(shownMint(6), { listed: [listed(6)] })
    {
      await using _first = await open({ market, file })
    }
    const whole = readFileSync(file, 'utf8')
    writeFileSync(file, damage(whole))
    await using world = await open({ market, file })
    expect(world.problems).toEqual([`${file} is not what this version writes: what it says of tokens is read anew, and it is written over`])
    expect(world.facts()).toMatchObject({ decimals: 6 })
    expect(readFileSync(file, 'utf8')).toBe(whole)
  })

  test('a disk that takes nothing is said once, and stops nothing', async () => {
    // A file where the folder should be: whoever runs the tests, nobody can write below it.
    const blocked = join(emptyFolder(), 'blocked')
    writeFileSync(blocked, '')
    const file = fileIn(blocked)
    await using market = await marketWith(shownMint(6))
    await using world = await open({ market, file })
    await world.desk.start()
    expect(world.facts()).toMatchObject({ decimals: 6 })
    expect(world.problems).toEqual([
      expect.stringMatching(/tokens\.json cannot be read \(.*\): what it says of tokens is read anew/),
      expect.stringMatching(/tokens\.json cannot be written \(.*\): what is known of tokens is read anew at the next start/),
    ])
  })

  test('a folder that is read-only loses nothing that was in it', async () => {
    const folder = join(emptyFolder(), 'data')
    mkdirSync(folder)
    const file = fileIn(folder)
    await using market = await marketWith(shownMint(6))
    {
      await using _first = await open({ market, file })
    }
    const before = readFileSync(file, 'utf8')
    chmodSync(folder, 0o500)
    await using world = await open({ market, file })
    chmodSync(folder, 0o700)
    expect(world.facts()).toMatchObject({ decimals: 6 })
    expect(existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('of another chain is no word about this one', async () => {
    const file = fileIn(emptyFolder())
    await using market = await marketWith(shownMint(6))
    {
      await using _first = await open({ market, file })
    }
    writeFileSync(file, readFileSync(file, 'utf8').replace(MAINNET_GENESIS, 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'))
    market.says.accounts = KNOWN
    await using world = await open({ market, file })
    expect(world.facts()?.trouble?.message).toBe('there is no such account on the chain of market.rpcUrl')
  })
})
