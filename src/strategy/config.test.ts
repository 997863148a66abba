import { inspect } from 'node:util'
import { NEVER } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CornermanError } from '../core/error.ts'
import { usdc } from '../core/usdc.ts'
import { telegram } from './alertConfig.ts'
import { type ConfigInput, contestService, defineConfig, readConfig, sandbox } from './config.ts'
import { defineDraftPicker, defineQueuePolicy, defineStrategy, defineTrader } from './define.ts'
import { secret } from './secret.ts'

const FILE = 'bots.config.ts'
const picker = defineDraftPicker({ name: 'picker', params: z.object({}), pick: () => undefined })
const policy = defineQueuePolicy({ name: 'ladder', params: z.object({ stake: z.bigint().default(usdc('1')) }), decide: () => [] })

const custom = (name = 'own') => defineStrategy({ name, params: z.object({}), run: () => NEVER })()

type BotInput = ConfigInput['bots'][number]
const bot = (fields: Partial<BotInput> = {}): BotInput => ({
  name: 'alice',
  strategies: [picker()],
  guard: { maxStake: usdc('5'), dailyLoss: usdc('20') },
  ...fields,
})
const withBot = (fields: object): unknown => ({ service: sandbox(), bots: [{ ...bot(), ...fields }] })
const withGuard = (fields: object): unknown => withBot({ guard: { ...bot().guard, ...fields } })
const elsewhere = (fields: object, keys: object = { agentKey: secret('ALICE_AGENT_KEY') }): unknown => ({
  service: { ...contestService({ url: 'https://contests.example' }), ...fields },
  bots: [{ ...bot(), ...keys }],
})

/** The message a config is refused with. */
function messageOf(config: unknown): string {
  try {
    readConfig(config, FILE)
  } catch (thrown) {
    if (thrown instanceof CornermanError && thrown.code === 'CONFIG_INVALID') return thrown.message
    throw thrown
  }
  return ''
}

describe('a config', () => {
  test('needs little, and says what the rest is', () => {
    const read = readConfig(defineConfig({ service: sandbox(), bots: [bot()] }), FILE)
    expect(read.service).toEqual({
      kind: 'sandbox',
      seed: 7,
      port: 0,
      balance: usdc('1000'),
      maxStake: usdc('50'),
      dailyLossCap: usdc('200'),
      rakeBps: 500,
      matchDelayMs: 3000,
    })
    expect(read.market).toEqual({
      url: 'https://api.jup.ag/price/v3',
      dex: 'jupiterV1',
      tokens: [],
      everyMs: 1000,
      mints: [],
    })
    expect(read.bots).toMatchObject([
      { name: 'alice', seed: 0, guard: { maxStake: usdc('5'), dailyLoss: usdc('20'), maxOpenContests: 3, maxSlippageBps: 50 } },
    ])
  })

  test('of a service elsewhere names its key by a variable and can add paths', () => {
    const read = readConfig(elsewhere({ timeoutMs: 2000, paths: { entryId: ['seat.id'] } }), FILE)
    expect(read.service).toEqual({
      kind: 'contestService',
      url: 'https://contests.example',
      timeoutMs: 2000,
      sandbox: false,
      paths: { entryId: ['seat.id'] },
    })
    expect(read.bots[0]?.agentKey).toEqual({ secret: 'ALICE_AGENT_KEY' })
    expect(readConfig(elsewhere({ url: 'http://127.0.0.1:4000/base' }), FILE).service).toMatchObject({ url: 'http://127.0.0.1:4000/base' })
  })

  test('receives webhooks on loopback unless told otherwise, with one secret a bot or two while it changes', () => {
    const names = [secret('NEW_SECRET'), secret('OLD_SECRET')]
    const webhooks = { port: 8788 }
    const of = (webhookSecret: unknown) => ({ ...(elsewhere({}, { agentKey: secret('KEY'), webhookSecret }) as object), webhooks })
    const read = readConfig(of(names[0]), FILE)
    expect([read.webhooks, read.bots[0]?.webhookSecret]).toEqual([{ port: 8788, host: '127.0.0.1' }, [names[0]]])
    expect(readConfig(of(names), FILE).bots[0]?.webhookSecret).toEqual(names)
    expect(messageOf({ ...(withBot({}) as object), webhooks })).toBe('')
  })

  test('may stake its own cap to the unit, and not a unit more', () => {
    expect(messageOf(withBot({ strategies: [policy({ stake: usdc('5') })] }))).toBe('')
    expect(messageOf(withBot({ strategies: [picker(), policy({ stake: usdc('5') + 1n })] }))).toBe(
      `${FILE}: bots[0].strategies[1]: ladder stakes 5.000001 USDC, above this bot's own guard.maxStake of 5.00: lower the stake or raise the cap`,
    )
    // Of one that chooses among several, each.
    const chooser = (stakes: bigint[]) =>
      defineQueuePolicy({ name: 'chooser', params: z.object({ stakes: z.array(z.bigint()) }), decide: () => [] })({ stakes })
    expect(messageOf(withBot({ strategies: [chooser([usdc('5'), usdc('1')])] }))).toBe('')
    expect(messageOf(withBot({ strategies: [chooser([usdc('1'), usdc('6'), usdc('2')])] }))).toContain('chooser stakes 6.00 USDC')
    // Of one that joins what others have opened, the largest that it would join.
    const joiner = (maxStake: bigint) =>
      defineQueuePolicy({ name: 'joiner', params: z.object({ maxStake: z.bigint() }), decide: () => [] })({ maxStake })
    expect(messageOf(withBot({ strategies: [joiner(usdc('5'))] }))).toBe('')
    expect(messageOf(withBot({ strategies: [joiner(usdc('6'))] }))).toContain('joiner stakes 6.00 USDC')
  })

  test.each<readonly [cap: string, guard: object]>([
    ['dailyLoss', { dailyLoss: usdc('2') }],
    ['maxDrawdown', { maxDrawdown: usdc('2') }],
    ['modeBudgets.pnl_usd', { modeBudgets: { pnl_usd: usdc('2'), best_trade: usdc('1') } }],
    ['strategyBudgets.ladder', { strategyBudgets: { ladder: usdc('2') } }],
  ])('may stake its %s to the unit, and not a unit more', (cap, fields) => {
    const guard = { ...bot().guard, ...fields }
    const ladder = defineQueuePolicy({
      name: 'ladder',
      params: z.object({ modes: z.array(z.string()), stake: z.bigint() }),
      decide: () => [],
    })
    const staking = (stake: bigint) => messageOf(withBot({ guard, strategies: [ladder({ modes: ['pnl_usd'], stake })] }))
    expect(staking(usdc('2'))).toBe('')
    expect(staking(usdc('2') + 1n)).toBe(
      `${FILE}: bots[0].strategies[0]: ladder stakes 2.000001 USDC, above this bot's own guard.${cap} of 2.00: lower the stake or raise the cap`,
    )
  })

  test.each(['amount', 'opening'])('may swap an %s of its maxSwap to the unit, and not a unit more', (field) => {
    const guard = { ...bot().guard, maxSwap: usdc('12') }
    const trader = defineTrader({ name: 'trader', modes: ['pnl_usd'], params: z.looseObject({}), trade: () => NEVER })
    const swapping = (amount: bigint) => messageOf(withBot({ guard, strategies: [trader({ [field]: amount })] }))
    expect(swapping(usdc('12'))).toBe('')
    expect(swapping(usdc('12') + 1n)).toBe(
      `${FILE}: bots[0].strategies[0]: trader swaps 12.000001 USDC, above this bot's own guard.maxSwap of 12.00: lower the amount or raise the cap`,
    )
  })
})

const PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'

describe('a wrong config is refused by file, field, value and what is allowed', () => {
  test.each<readonly [name: string, config: unknown, field: string, allowed: string]>([
    ['no default export', undefined, 'the default export is missing', 'an object, { … }'],
    ['no service', { bots: [bot()] }, 'service is missing', "sandbox({ … }) or contestService({ url: 'https://…' })"],
    ['a service that is text', { service: 'sandbox', bots: [bot()] }, "service = 'sandbox'", 'sandbox({ … }) or'],
    ['no bots', { service: sandbox(), bots: [] }, 'bots', 'at least 1'],
    ['an unknown field at the top', { ...(withBot({}) as object), bot: [] }, 'bot: no such field', 'docs/guide/configuration.md'],
    ['an unknown field of a bot', withBot({ strategy: [] }), 'bots[0].strategy: no such field', 'docs/guide/configuration.md'],
    [
      'an unknown field of the guard',
      withGuard({ maxStakes: 5n }),
      'bots[0].guard.maxStakes: no such field',
      'docs/guide/configuration.md',
    ],
    [
      'an unknown mode',
      withGuard({ modeBudgets: { pnl: 5n } }),
      'bots[0].guard.modeBudgets.pnl: no such mode',
      'there is pnl_race_pct, pnl_usd',
    ],
    [
      'an unknown field of the sandbox',
      { service: { ...sandbox(), sede: 7 }, bots: [bot()] },
      'service.sede: no such field',
      'docs/guide/configuration.md',
    ],
    ['an unknown path', elsewhere({ paths: { entry: ['x'] } }), 'service.paths.entry: no such field', 'docs/guide/configuration.md'],
    ['micro-USDC by mistake', withGuard({ maxStake: 5n }), 'bots[0].guard.maxStake = 5n', "write usdc('5') for 5 USDC"],
    ['a cap of nothing', withGuard({ dailyLoss: 0n }), 'bots[0].guard.dailyLoss = 0n', 'under 0.01 USDC'],
    ['a negative cap', withGuard({ dailyLoss: -usdc('5') }), 'bots[0].guard.dailyLoss = -5000000n', 'under 0.01 USDC'],
    ['a number for an amount', withGuard({ maxStake: 5 }), 'bots[0].guard.maxStake = 5', "an amount of USDC, such as usdc('5')"],
    ['text for an amount', withGuard({ maxStake: '5' }), "bots[0].guard.maxStake = '5'", "an amount of USDC, such as usdc('5')"],
    ['no cap', withBot({ guard: { dailyLoss: usdc('5') } }), 'bots[0].guard.maxStake is missing', "usdc('5')"],
    ['no guard', withBot({ guard: undefined }), 'bots[0].guard is missing', 'an object, { … }'],
    ['no mode at all', withGuard({ modes: [] }), 'bots[0].guard.modes', 'at least 1'],
    ['a mode there is not', withGuard({ modes: ['chess'] }), "bots[0].guard.modes[0] = 'chess'", 'pnl_race_pct'],
    ['a chain there is not', withGuard({ chains: ['ethereum'] }), "bots[0].guard.chains[0] = 'ethereum'", 'solana'],
    ['a budget of a mode there is not', withGuard({ modeBudgets: { chess: usdc('5') } }), 'bots[0].guard.modeBudgets', 'chess'],
    ['a budget of nothing', withGuard({ strategyBudgets: { ladder: 0n } }), 'bots[0].guard.strategyBudgets.ladder = 0n', 'under 0.01 USDC'],
    ['a cool-down without its time', withGuard({ coolDown: { losses: 3 } }), 'bots[0].guard.coolDown.seconds is missing', 'number'],
    ['a symbol for a token', withGuard({ tokens: ['SOL'] }), "bots[0].guard.tokens[0] = 'SOL'", 'at least 32'],
    ['gas as a number', withGuard({ minGasLamports: 5 }), 'bots[0].guard.minGasLamports = 5', 'bigint'],
    ['a quote that may be an hour old', withGuard({ maxQuoteAgeMs: 3_600_000 }), 'bots[0].guard.maxQuoteAgeMs = 3600000', 'at most 60000'],
    ['an unknown policy', withGuard({ unresolvedTables: 'ask' }), "bots[0].guard.unresolvedTables = 'ask'", 'refuse'],
    ['a program without a name', withGuard({ programs: { [PROGRAM]: '' } }), `bots[0].guard.programs.${PROGRAM} = ''`, 'at least 1'],
    ['a swap URL', { ...(withBot({}) as object), market: { swapUrl: 'jup' } }, "market.swapUrl = 'jup'", 'an http or https URL'],
    ['an RPC that is none', { ...(withBot({}) as object), market: { rpcUrl: 'rpc.example' } }, 'market.rpcUrl', 'an http or https URL'],
    [
      'requests of none',
      { ...(withBot({}) as object), market: { requestsPerMinute: 0 } },
      'market.requestsPerMinute = 0',
      'a whole number from 1 to 100000: the requests a minute of your Jupiter plan. Left out: 30 without a key, 60 with one',
    ],
    [
      'half a request',
      { ...(withBot({}) as object), market: { requestsPerMinute: 0.5 } },
      'market.requestsPerMinute = 0.5',
      'a whole number from 1',
    ],
    ['no open contests', withGuard({ maxOpenContests: 0 }), 'bots[0].guard.maxOpenContests = 0', 'at least 1'],
    ['slippage over the whole', withGuard({ maxSlippageBps: 10_001 }), 'bots[0].guard.maxSlippageBps = 10001', 'at most 10000'],
    [
      'an amount of the sandbox',
      { service: { ...sandbox(), balance: 1000 }, bots: [bot()] },
      'service.balance = 1000',
      'an amount of USDC',
    ],
    ['a port there is not', { service: sandbox({ port: 70_000 }), bots: [bot()] }, 'service.port = 70000', 'at most 65535'],
    ['no URL', elsewhere({ url: 'contests.example' }), "service.url = 'contests.example'", 'an http or https URL'],
    [
      'a URL of another protocol',
      elsewhere({ url: 'ftp://contests.example' }),
      "service.url = 'ftp://contests.example'",
      'an http or https URL',
    ],
    ['a URL without a host', elsewhere({ url: 'http://' }), "service.url = 'http://'", 'an http or https URL'],
    ['a market URL', { ...(withBot({}) as object), market: { url: 'jup' } }, "market.url = 'jup'", 'an http or https URL'],
    ['a timeout in seconds', elsewhere({ timeoutMs: 5 }), 'service.timeoutMs = 5', 'at least 250'],
    ['a name with capitals', withBot({ name: 'Alice' }), "bots[0].name = 'Alice'", 'small letters, digits and -'],
    [
      'a key twice',
      { ...(elsewhere({}) as object), bots: [bot({ agentKey: secret('KEY') }), bot({ name: 'bob', agentKey: secret('KEY') })] },
      'bots[1].agentKey',
      'alice has this key already: every bot is an agent of its own',
    ],
    ['a name twice', { service: sandbox(), bots: [bot(), bot()] }, "bots[1].name = 'alice'", 'alice is taken: every bot has its own name'],
    [
      'a strategy to isolate that it has not',
      withBot({ isolate: ['pikcer'] }),
      'bots[0].isolate',
      "there is no strategy 'pikcer'; there is",
    ],
    [
      'a budget of a strategy that it has not',
      withGuard({ strategyBudgets: { pikcer: usdc('3') } }),
      'bots[0].guard.strategyBudgets',
      "there is no strategy 'pikcer'; there is",
    ],
    ['one custom strategy twice', withBot({ strategies: [custom(), custom()] }), 'bots[0].strategies[1]', 'name of another strategy'],
    ['two kinds of one name', withBot({ strategies: [picker(), custom('picker')] }), 'bots[0].strategies[1]', 'name of another strategy'],
    ['to isolate half', withBot({ isolate: 'half' }), "bots[0].isolate = 'half'", "true, false, or names of this bot's strategies"],
    ['no strategies', withBot({ strategies: [] }), 'bots[0].strategies', 'at least 1'],
    ['a definition that was not called', withBot({ strategies: [picker] }), 'bots[0].strategies[0]', 'called with its parameters'],
    ['a record that is no strategy', withBot({ strategies: [{ name: 'picker' }] }), 'bots[0].strategies[0]', 'called with its parameters'],
    ['webhooks without a port', { ...(withBot({}) as object), webhooks: {} }, 'webhooks.port is missing', 'number'],
    ['a webhook port there is not', { ...(withBot({}) as object), webhooks: { port: 70_000 } }, 'webhooks.port = 70000', 'at most 65535'],
    [
      'webhooks that nobody signs',
      { ...(elsewhere({}) as object), webhooks: { port: 1 } },
      'webhooks: no bot has a webhookSecret',
      'ALICE_',
    ],
    ['a webhook secret and nothing that listens', withBot({ webhookSecret: secret('A') }), 'bots[0].webhookSecret: nothing', 'port: 8789'],
    ['three webhook secrets', withBot({ webhookSecret: ['A', 'B', 'C'].map(secret) }), 'bots[0].webhookSecret', 'an array of two'],
    ['one webhook secret twice', withBot({ webhookSecret: ['A', 'A'].map(secret) }), 'bots[0].webhookSecret', 'two names that differ'],
    [
      'no key for a service elsewhere',
      elsewhere({}, {}),
      'bots[0].agentKey is missing',
      "contestService() needs one: secret('ALICE_AGENT_KEY')",
    ],
  ])('%s', (_name, config, field, allowed) => {
    const message = messageOf(config)
    expect(message).toContain(`${FILE}: ${field}`)
    expect(message).toContain(allowed)
  })

  test('every mistake is named, each on a line of its own that begins with the file', () => {
    const lines = messageOf(withGuard({ maxStake: 5, dailyLoss: 5 })).split('\n')
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).toMatch(/^bots\.config\.ts: bots\[0\]\.guard\.\w+ = 5: /)
  })
})

describe('a secret put where its name belongs', () => {
  const SECRET = 'ck_9f2b7c41d8e3'
  const A_NAME = "the name of an environment variable, such as secret('ALICE_AGENT_KEY'), never the secret itself"

  test.each<readonly [name: string, config: unknown, field: string]>([
    ['as the key', elsewhere({}, { agentKey: SECRET }), 'bots[0].agentKey'],
    ['in secret()', elsewhere({}, { agentKey: secret(SECRET) }), 'bots[0].agentKey.secret'],
    ['in a list', elsewhere({}, { agentKey: [SECRET] }), 'bots[0].agentKey'],
    ['beside the name', elsewhere({}, { agentKey: { secret: { key: SECRET } } }), 'bots[0].agentKey.secret'],
    ['with the sandbox, which needs none', withBot({ agentKey: SECRET }), 'bots[0].agentKey'],
    ['as the key of the market', { ...(withBot({}) as object), market: { apiKey: SECRET } }, 'market.apiKey'],
  ])('%s never shows, in the message or its details', (_name, config, field) => {
    expect(messageOf(config)).toBe(`${FILE}: ${field}: ${A_NAME}`)
    try {
      readConfig(config, FILE)
    } catch (thrown) {
      expect(inspect(thrown, { depth: null })).not.toContain(SECRET)
    }
  })

  test('as the webhook secret, or one of two, does not show', () => {
    for (const webhookSecret of [SECRET, secret(SECRET), [SECRET], [secret('OLD'), secret(SECRET)]]) {
      const message = messageOf({ ...(withBot({ webhookSecret }) as object), webhooks: { port: 8788 } })
      expect(message).toMatch(
        /^bots\.config\.ts: bots\[0\]\.webhookSecret.*: (?:secret\('ALICE_WEBHOOK_SECRET'\), or an array|the name of an env)/,
      )
      expect(message).not.toContain(SECRET)
    }
  })

  test('in an RPC address that is no URL does not show', () => {
    const message = messageOf({ ...(withBot({}) as object), market: { rpcUrl: `rpc.example/${SECRET}` } })
    expect(message).toContain(`${FILE}: market.rpcUrl: an http or https URL`)
    expect(message).not.toContain(SECRET)
  })

  test.each<readonly [name: string, alerts: unknown, field: string]>([
    ['as a channel', [`https://discord.com/api/webhooks/1/${SECRET}`], 'alerts[0]'],
    ['as all of them', `https://discord.com/api/webhooks/1/${SECRET}`, 'alerts'],
    ['as a kind', [{ kind: SECRET }], 'alerts[0].kind'],
    ['as a chat', [{ kind: 'telegram', token: secret('TOKEN'), chat: { token: SECRET } }], 'alerts[0].chat'],
    ['in the root of an API', [telegram({ token: secret('TOKEN'), chat: '1', apiRoot: `https://u:${SECRET}@x` })], 'alerts[0].apiRoot'],
  ])('%s of alerts is refused and does not show', (_name, alerts, field) => {
    const message = messageOf({ ...(withBot({}) as object), alerts })
    expect(message).toContain(`${FILE}: ${field}: `)
    expect(message).not.toContain(SECRET)
  })

  const chat = { token: secret('TOKEN'), chat: '1', commands: true }
  test.each<readonly [name: string, alerts: readonly unknown[], message: string]>([
    ['commands from a channel by its name', [telegram({ ...chat, chat: '@mine' })], 'alerts[0].chat: commands are obeyed from one chat'],
    [
      'commands of one bot from two chats',
      [telegram(chat), telegram({ ...chat, chat: '2' })],
      'alerts[1].commands: the commands of this bot',
    ],
    ['a summary at no time', [telegram({ ...chat, summaryAt: '24:00' })], "alerts[0].summaryAt: a time of the day, such as '21:00'"],
    ['a summary in no time zone', [telegram({ ...chat, timeZone: 'Mars/Olympus' })], 'alerts[0].timeZone: the name of a time zone'],
  ])('%s is refused', (_name, alerts, message) => {
    expect(messageOf({ ...(withBot({}) as object), alerts })).toContain(`${FILE}: ${message}`)
  })

  test('two Telegram bots may both be asked, and one may send to a second chat', () => {
    const other = telegram({ ...chat, token: secret('OTHER') })
    const alerts = [telegram(chat), other, telegram({ ...chat, chat: '@mine', commands: false })]
    expect(readConfig({ ...(withBot({}) as object), alerts }, FILE).alerts).toHaveLength(3)
  })

  test.each<readonly [name: string, config: unknown, field: string]>([
    ['the service', elsewhere({ url: `https://contests.example/api?key=${SECRET}` }), 'service.url'],
    ['the prices', { ...(withBot({}) as object), market: { url: `https://jup.example/price?key=${SECRET}` } }, 'market.url'],
    ['the swaps', { ...(withBot({}) as object), market: { swapUrl: `https://jup.example/swap#${SECRET}` } }, 'market.swapUrl'],
  ])('in the query of the URL of %s, which would not be sent, is refused and does not show', (_name, config, field) => {
    const message = messageOf(config)
    expect(message).toMatch(
      new RegExp(`^${FILE}: ${field} = 'https://[a-z./]+\\?…': a URL without \\? and #: what stands there would not be sent`),
    )
    expect(message).not.toContain(SECRET)
  })

  test('in the query of an RPC may stand as it is, since it is sent', () => {
    const rpcUrl = 'https://rpc.example/?network=main'
    expect(readConfig({ ...(withBot({}) as object), market: { rpcUrl } }, FILE).market.rpcUrl).toBe(rpcUrl)
  })

  test.each([
    ['a URL that is right otherwise', `https://alice:${SECRET}@contests.example`, 'a URL without a user name and a password'],
    ['the password of a URL', `https://:${SECRET}@contests.example`, 'a URL without a user name and a password'],
    ['a URL that is wrong besides', `ftp://alice:${SECRET}@contests.example`, 'an http or https URL'],
    ['a password with a slash', `https://alice:pa/${SECRET}@contests.example`, 'an http or https URL'],
    ['a password with an at sign', `https://alice:p@${SECRET}@contests.example`, 'a URL without a user name and a password'],
    ['a password that is long', `https://alice:${'x'.repeat(60)}${SECRET}${'x'.repeat(60)}@contests.example`, 'a URL without a user name'],
  ])('in %s is refused and masked', (_name, url, allowed) => {
    const message = messageOf(elsewhere({ url }))
    expect(message).toContain('//…@contests.example')
    expect(message).toContain(allowed)
    expect(message).not.toContain(SECRET)
  })
})

describe('what an isolated strategy is given', () => {
  test('is nothing where only its name stands there', () => {
    const config = readConfig(withBot({ isolate: ['picker', { name: 'picker', env: ['MODEL_KEY'] }] }), FILE)
    expect(config.bots[0]?.isolate).toEqual(['picker', { name: 'picker', own: false, read: [], env: ['MODEL_KEY'] }])
  })

  test.each([
    [
      "an agent's key",
      elsewhere({}, { agentKey: secret('ALICE_AGENT_KEY'), isolate: [{ name: 'picker', env: ['ALICE_AGENT_KEY'] }] }),
      'ALICE_AGENT_KEY is a secret',
    ],
    ['what changes Node itself', withBot({ isolate: [{ name: 'picker', env: ['NODE_OPTIONS'] }] }), 'NODE_'],
    ['to a strategy that there is not', withBot({ isolate: [{ name: 'pikcer' }] }), "no strategy 'pikcer'"],
    ['time below 100 ms', withBot({ strategyTimeoutMs: 99 }), 'strategyTimeoutMs'],
    ['time above five minutes', withBot({ strategyTimeoutMs: 300_001 }), 'strategyTimeoutMs'],
  ])('is never %s', (_what, config, message) => {
    expect(messageOf(config)).toContain(message)
  })
})
