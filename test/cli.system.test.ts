import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { StartReport } from '../src/cli/runs/start/report.ts'
import { startSandbox } from '../src/sandbox/index.ts'
import { writeJournal } from './support/journalFiles.ts'
import { type CornermanRun, jsonOf, runCornerman } from './support/runCornerman.ts'
import { TestConfigs } from './support/testConfigs.ts'

const folder = mkdtempSync(join(tmpdir(), 'cornerman-cli-'))
const configs = new TestConfigs()
const runs: CornermanRun[] = []
const lasting: CornermanRun[] = []
const servers: Server[] = []

afterEach(() => {
  for (const { child } of runs.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => {
  for (const { child } of lasting) child.kill('SIGKILL')
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

const config = (body: string): string =>
  configs.write(`import { contestService, defineConfig, sandbox, secret, telegram, usdc } from 'cornerman'
import ladder from './strategies/ladder.ts'
import momentum from './strategies/momentum.ts'
const guard = { maxStake: usdc('5'), dailyLoss: usdc('20') }
const strategies = [momentum()]
${body}`)

function cornerman(...args: string[]): CornermanRun {
  const run = runCornerman(args)
  runs.push(run)
  return run
}

/** Beside others: it is ended with the file. */
function atOnce(...args: string[]): CornermanRun {
  const run = runCornerman(args)
  lasting.push(run)
  return run
}

/** A server that answers 503 until it is opened, passes everything on from then, and lets no key in any more once it is told so. */
async function gateTo(target: string): Promise<{ url: string; open(): void; revoke(): void }> {
  let state: 'shut' | 'open' | 'revoked' = 'shut'
  const gate = createServer((request, response) => {
    if (state === 'shut') {
      response.writeHead(503).end()
      return
    }
    if (state === 'revoked') {
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { json: REVOKED } }))
      return
    }
    const { method = 'GET', url = '/', headers } = request
    request.pipe(
      forward(`${target}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }),
    )
  })
  servers.push(gate)
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const { port } = gate.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    open: () => {
      state = 'open'
    },
    revoke: () => {
      state = 'revoked'
    },
  }
}

/** Of no agent yet; its tenth event is cut off. */
function writeBrokenJournal(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeJournal(file, 20)
  using db = new DatabaseSync(file)
  db.exec(`UPDATE events SET raw = '{"id":' WHERE position = 10; DELETE FROM meta WHERE key = 'agentId'`)
}

const REVOKED = { message: 'no such key', code: -32001, data: { code: 'UNAUTHORIZED', httpStatus: 401, appCode: 'AGENT_KEY_INVALID' } }

const playing = (url: string, variable = 'TEST_AGENT_KEY', prices = `${url}/jup/price/v3`) =>
  config(`export default defineConfig({
  service: contestService({ url: '${url}', sandbox: true }),
  market: { url: '${prices}' },
  bots: [{ name: 'alice', agentKey: secret('${variable}'), strategies: [ladder({ modes: ['draft_basket'] }), momentum()], guard }],
})`)

describe('a config that is wrong ends with 2, one message, and nothing sent', () => {
  const wrong: [name: string, body: string, message: RegExp][] = [
    [
      'unknown field',
      "export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies, guard, colour: 1 } as never] })",
      /test-\S+\.config\.ts: bots\[0\]\.colour: .*no such field/,
    ],
    [
      'wrong unit: micro-USDC where USDC was meant',
      "export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies, guard: { ...guard, maxStake: 5n } }] })",
      /bots\[0\]\.guard\.maxStake = 5n: .*usdc\('5'\)/,
    ],
    [
      'wrong unit: a number',
      "export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies, guard: { ...guard, dailyLoss: 20 as never } }] })",
      /bots\[0\]\.guard\.dailyLoss = 20: .*usdc\('5'\)/,
    ],
    [
      'stake above the bot’s own cap',
      "export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies: [ladder({ stake: usdc('9') })], guard }] })",
      /bots\[0\]\.strategies\[0\].*9\.00.*guard\.maxStake of 5\.00/,
    ],
    [
      'a parameter out of range',
      "export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies: [momentum({ lookbackSec: 5000 })], guard }] })",
      /strategy momentum: lookbackSec = 5000: .*3600/,
    ],
    [
      'a missing secret',
      "export default defineConfig({ service: contestService({ url: 'http://127.0.0.1:9' }), bots: [{ name: 'alice', agentKey: secret('NOT_SET_ANYWHERE'), strategies, guard }] })",
      /test-\S+\.config\.ts: bots\[0\]\.agentKey: .*NOT_SET_ANYWHERE is not set/,
    ],
    [
      'a missing secret of an alert',
      "export default defineConfig({ service: sandbox(), alerts: [telegram({ token: secret('NOT_SET_ANYWHERE'), chat: '1' })], bots: [{ name: 'alice', strategies, guard }] })",
      /test-\S+\.config\.ts: alerts\[0\]\.token: .*NOT_SET_ANYWHERE is not set/,
    ],
    ['a strategy file that is not there', "import gone from './strategies/gone.ts'\nexport default gone", /strategies\/gone\.ts/],
    ['a config that throws', "throw new Error('no luck')", /test-\S+\.config\.ts:\d+: no luck/],
  ]

  test.each(wrong)('%s', async (_name, body, message) => {
    const dataDir = join(folder, `wrong-${configs.count}`)
    const run = cornerman('start', '--json', '--config', config(body), '--data-dir', dataDir)
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toMatch(message)
    // Whoever waits for the document learns the same from it.
    const error = { code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(message) }
    expect(JSON.parse(run.stdout())).toEqual({ bots: [], uptimeMs: expect.any(Number), recordings: [], shapes: null, error })
    expect(() => readdirSync(dataDir)).toThrow(/ENOENT/)
  })

  test('a dashboard for others without a token of the user’s, and one with a token that could be guessed', async () => {
    const file = config("export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies, guard }] })")
    const dataDir = join(folder, 'open-to-all')
    const args = ['start', '--config', file, '--data-dir', dataDir, '--host', '0.0.0.0']
    const open = cornerman(...args)
    expect(await open.exited).toBe(2)
    expect(open.stderr()).toContain('set CORNERMAN_DASHBOARD_TOKEN to a token of your own')
    const short = runCornerman(args, { env: { CORNERMAN_DASHBOARD_TOKEN: 'short' } })
    expect(await short.exited).toBe(2)
    expect(short.stderr()).toContain('fewer than 16 characters')
    expect(short.stderr()).not.toContain('short"')
    expect(() => readdirSync(dataDir)).toThrow(/ENOENT/)
  })

  test('a second start on a data directory, which is told of the first', async () => {
    const file = config("export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies, guard }] })")
    const args = ['start', '--config', file, '--data-dir', join(folder, 'shared'), '--no-dashboard']
    const first = cornerman(...args)
    await first.logged(({ msg }) => msg.startsWith('sandbox at '))
    const second = cornerman(...args)
    expect(await second.exited).toBe(2)
    expect(second.stderr()).toContain(
      `process ${first.child.pid} runs on ${join(folder, 'shared')} already: stop that one, or use another --data-dir`,
    )
  })

  test('two bots with the same key by two names are refused, and the key is not printed', async () => {
    const bots = ['one', 'other'].map((name) => `{ name: '${name}', agentKey: secret('${name.toUpperCase()}_KEY'), strategies, guard }`)
    const file = config(`export default defineConfig({ service: contestService({ url: 'http://127.0.0.1:9' }), bots: [${bots.join()}] })`)
    const env = { ONE_KEY: 'the-same-key-4711', OTHER_KEY: 'the-same-key-4711' }
    const run = runCornerman(['start', '--config', file, '--data-dir', folder], { env })
    runs.push(run)
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toContain('one and other have the same agent key')
    expect(run.stderr()).not.toContain('the-same-key-4711')
  })

  test.each(['key-4711\n', 'kéy-4711', 'key 4711'])('a key that no request can carry is refused, and is not printed: %j', async (key) => {
    process.env.TEST_AGENT_KEY = key
    const run = cornerman('start', '--config', playing('http://127.0.0.1:9'), '--data-dir', folder)
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toContain('alice: the environment variable TEST_AGENT_KEY holds no agent key')
    expect(run.stderr()).not.toContain('4711')
  })

  test('a secret written where its name belongs is not printed', async () => {
    const file = config(
      "export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', agentKey: 'sk-live-1234' as never, strategies, guard }] })",
    )
    const run = cornerman('start', '--config', file, '--data-dir', folder)
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toMatch(/bots\[0\]\.agentKey.*secret\('ALICE_AGENT_KEY'\)/)
    expect(run.stderr()).not.toContain('sk-live-1234')
  })

  test.each([
    ...['start', 'stop', 'doctor', 'logs list', 'call agent.me'].map((command): [string[], RegExp] => [
      [...command.split(' '), '--data-dir', 'README.md/data'],
      /README\.md is a file: name a folder/,
    ]),
    ...[
      ['start', '--bot', 'zed', '--data-dir', ''],
      ['stop', '--entries', '--bot', '', '--data-dir', 'gone'],
      ['logs', 'list', '--data-dir='],
      ['doctor', '--config', ''],
      ['backtest', '--log', 'test', '--report', ''],
    ].map((args): [string[], RegExp] => [args, /option '--\S+ <\S+>' argument '' is invalid. it is empty/]),
    ...[
      ['backtest', '--log', 'test', '--report', '--json'],
      ['logs', 'import', 'README.md', '--out', '--json'],
      ['backtest', '--log', 'test', '--report', '--jsn'],
    ].map((args): [string[], RegExp] => [args, /option '--\S+ <\S+>' argument missing: --jso?n stands in its place/]),
    [['new-strategy', 'mine', '--kind', 'trade', '--dir', 'README.md'], /README\.md is a file: name a folder/],
    [['logs', 'import', 'README.md', '--out', 'gone', '--seed', '-1'], /'--seed <n>' argument '-1' is invalid. it must be 0 or more/],
    [['backtest', '--log', 'test', '--to', '2026-02-30'], /'--to <time>' argument '2026-02-30' is invalid. a time as in ISO 8601/],
    [['backtest', '--log', 'test', '--report', 'test'], /it is a folder: name a file in it/],
    [['start', '--port', '99999'], /'--port <n>' argument '99999' is invalid. a port is from 0 to 65535/],
    [['stop', '--now', '--bot', 'zed', '--data-dir', 'test'], /no bot zed has played on test: there is none\. Nothing was stopped/],
    [['stop', '--now', '--data-dir', 'gone'], /there is no gone: name the bots' data directory with --data-dir\. Nothing was stopped/],
    [['logs', 'show', 'test', '--limit', '-1'], /'--limit <n>' argument '-1' is invalid. it must be 1 or more/],
    [['logs', 'export', 'test', '--out', 'README.md', '--format', 'csv'], /README\.md is a file: name a folder/],
    [['logs', 'repair', 'test', '--out', 'README.md'], /README\.md is a file: name a folder/],
    ...['check', 'repair'].map((command): [string[], RegExp] => [
      ['logs', command, 'test', '--agent', 'x', ...(command === 'repair' ? ['--out', 'gone'] : [])],
      /--agent is for a journal: leave it out/,
    ]),
    [['start', '--contests', 'x'], /'--contests <n>' argument 'x' is invalid. it must be a whole number/],
    [['start', '--contests', '0'], /'--contests <n>' argument '0' is invalid. it must be 1 or more/],
    [['sandbox', '--port', '99999'], /'--port <n>' argument '99999' is invalid. a port is from 0 to 65535/],
    [
      ['backtest', '--log', 'test', '--report', 'gone/x.html'],
      /'--report <file>' argument 'gone\/x\.html' is invalid. there is no such folder/,
    ],
    [['backtest', '--log', 'test', '--decisions', 'gone/x'], /'--decisions <file>' argument 'gone\/x' is invalid. there is no such folder/],
    [['logs', 'list', '--data-dir', 'gone'], /'--data-dir <dir>' argument 'gone' is invalid. there is no such folder/],
    [['start', '--for', '0s'], /'--for <duration>' argument '0s' is invalid. a duration is a number above 0/],
    [['sandbox', '--balance', 'x'], /'--balance <usdc>' argument 'x' is invalid. an amount of USDC has at most six decimals: 1000/],
    [['sandbox', '--host', '192.0.2.1'], /cannot listen on 192\.0\.2\.1:0 .*: the host must be an address of this machine/],
    [['start', '--for', 'soon'], /'--for <duration>' argument 'soon' is invalid.*90s/],
    [['start', '--bot', 'zed'], /--bot zed: there is no such bot in the config, which has alice, bob/],
    [['start', '--config', 'gone.config.ts'], /gone\.config\.ts: there is no such file/],
    [['call', 'agent.nope'], /agent\.nope is not a procedure; the service has agent\.me/],
    [['call', 'agent.me', '{'], /the input \{ is not JSON/],
    [['dance'], /unknown command 'dance'/],
    [['sandbox', '--db', 'gone/sandbox.db'], /gone\/sandbox\.db cannot be opened .*: check the folder/],
    [['sandbox', '--balance', '1000000001'], /balance is 1000000001000000 micro-USDC: it must be 0 to 1000000000000000/],
    [['sandbox', '--rake-bps', '20000'], /rakeBps is 20000: it must be a whole number from 0 to 10000/],
  ])('%j', async (args, message) => {
    const run = cornerman(...args)
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toMatch(message)
  })
})

describe('a service that is not as it should be', () => {
  test('down at the start: it says so, tries again with back-off, and plays once it is up', async () => {
    const sandbox = await startSandbox({ agents: ['alice'] })
    try {
      process.env.TEST_AGENT_KEY = sandbox.agents[0]?.key ?? ''
      const gate = await gateTo(sandbox.url)
      const run = cornerman('start', '--config', playing(gate.url), '--data-dir', join(folder, 'down'), '--json')
      await run.logged(({ msg }) => /does not answer .*503.*trying again in 0\.5 s/.test(msg))
      await run.logged(({ msg }) => /trying again in 1 s/.test(msg))
      gate.open()
      await expect.poll(() => sandbox.service.read((state) => state.tickets.size)).toBeGreaterThan(0)
      run.child.kill('SIGTERM')
      expect(await run.exited, run.stderr()).toBe(0)
      expect(jsonOf<StartReport>(run).bots[0]?.actions).toMatchObject({ unknown: 0 })
    } finally {
      await sandbox.close()
    }
  })

  test('never up: the run ends with 1 and says why', async () => {
    process.env.TEST_AGENT_KEY = 'unused'
    const gate = await gateTo('http://127.0.0.1:9')
    const run = cornerman('start', '--config', playing(gate.url), '--data-dir', join(folder, 'never'), '--json')
    await run.logged(({ msg }) => /does not answer/.test(msg))
    run.child.kill('SIGTERM')
    expect(await run.exited).toBe(1)
    expect(jsonOf<StartReport>(run).bots[0]?.failure?.code).toBe('SERVICE_UNREACHABLE')
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('never up, and ended by %s: the report has what the journal holds', async (signal) => {
    process.env.TEST_AGENT_KEY = 'unused'
    const gate = await gateTo('http://127.0.0.1:9')
    const dataDir = join(folder, `lived-${signal}`)
    const file = join(dataDir, 'bots', 'alice.db')
    mkdirSync(dirname(file), { recursive: true })
    writeJournal(file, 20)
    const run = cornerman('start', '--config', playing(gate.url), '--data-dir', dataDir, '--json')
    await run.logged(({ msg }) => /does not answer/.test(msg))
    run.child.kill(signal)
    if (signal === 'SIGINT') run.child.kill(signal)
    await run.exited
    const [alice] = jsonOf<StartReport>(run).bots
    expect(alice).toMatchObject({ contests: { settled: 20 }, byMode: { up_down: { settled: 20 } } })
    expect(alice?.actions.sent).toBeGreaterThan(0)
  })

  test('never up, and a journal that cannot be read to its end: the report knows no figures, and says so', async () => {
    process.env.TEST_AGENT_KEY = 'unused'
    const gate = await gateTo('http://127.0.0.1:9')
    const dataDir = join(folder, 'broken-and-down')
    writeBrokenJournal(join(dataDir, 'bots', 'alice.db'))
    const run = cornerman('start', '--config', playing(gate.url), '--data-dir', dataDir, '--json')
    await run.logged(({ msg }) => /does not answer/.test(msg))
    run.child.kill('SIGTERM')
    expect(await run.exited).toBe(1)
    expect(run.stderr()).toMatch(/alice\.db.*table events, row 10/)
    expect(jsonOf<StartReport>(run).bots[0]).toMatchObject({
      ...{ contests: { settled: null }, profit: null },
      failure: { code: 'SERVICE_UNREACHABLE' },
    })
  })

  test('up, and a journal that cannot be read to its end: the bot stops, and the report knows no figures', async () => {
    const sandbox = await startSandbox({ agents: ['alice'] })
    try {
      process.env.TEST_AGENT_KEY = sandbox.agents[0]?.key ?? ''
      const dataDir = join(folder, 'broken')
      writeBrokenJournal(join(dataDir, 'bots', 'alice.db'))
      const run = cornerman('start', '--config', playing(sandbox.url), '--data-dir', dataDir, '--json')
      expect(await run.exited).toBe(1)
      expect(run.stderr().match(/stopped: /g)).toHaveLength(1)
      expect(jsonOf<StartReport>(run).bots[0]).toMatchObject({
        ...{ contests: { settled: null }, profit: null, actions: { sent: null } },
        failure: { code: 'JOURNAL_CORRUPT', message: expect.stringContaining('table events, row 10') },
      })
    } finally {
      await sandbox.close()
    }
  })

  test('whose key is revoked while it plays: the run ends with 1 and says why', async () => {
    const sandbox = await startSandbox({ agents: ['alice'] })
    try {
      process.env.TEST_AGENT_KEY = sandbox.agents[0]?.key ?? ''
      const gate = await gateTo(sandbox.url)
      gate.open()
      const run = cornerman('start', '--config', playing(gate.url), '--data-dir', join(folder, 'revoked'), '--for', '30d', '--json')
      await run.logged(({ msg }) => /^enqueue /.test(msg))
      gate.revoke()
      expect(await run.exited).toBe(1)
      expect(jsonOf<StartReport>(run).bots[0]?.failure).toMatchObject({ code: 'AGENT_KEY_REFUSED' })
      expect(run.stderr()).toMatch(/stopped: .*have the owner issue a new one/)
      expect(run.stderr(), 'a month is longer than a timer of Node').not.toContain('time is up')
    } finally {
      await sandbox.close()
    }
  })

  test('a wrong key stops that bot with the reason and what to do', async () => {
    const sandbox = await startSandbox({ agents: ['alice'] })
    try {
      process.env.TEST_AGENT_KEY = 'ck_wrong'
      const run = cornerman('start', '--config', playing(sandbox.url), '--data-dir', join(folder, 'key'), '--json')
      expect(await run.exited).toBe(1)
      expect(jsonOf<StartReport>(run).bots[0]?.failure).toMatchObject({ code: 'AGENT_KEY_REFUSED' })
      expect(run.stderr()).toMatch(/the environment variable TEST_AGENT_KEY .*have the owner issue a new one/)
      expect(run.stderr()).not.toContain('ck_wrong')
    } finally {
      await sandbox.close()
    }
  })

  test('doctor and call say what they find', async () => {
    const sandbox = await startSandbox({ agents: ['alice'] })
    try {
      process.env.TEST_AGENT_KEY = sandbox.agents[0]?.key ?? ''
      const file = playing(sandbox.url)
      const doctor = cornerman('doctor', '--config', file, '--data-dir', join(folder, 'doctor'), '--json')
      expect(await doctor.exited).toBe(0)
      const { ok, checks } = jsonOf<{ ok: boolean; checks: { name: string; verdict: string }[] }>(doctor)
      expect(ok).toBe(true)
      expect(checks.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['config', 'disk', 'service', 'clock', 'alice: key', 'alice: limits', 'alice: lists', 'prices']),
      )
      const call = cornerman('call', 'agent.limits', '--config', file)
      expect(await call.exited).toBe(0)
      expect(jsonOf<Record<string, string>>(call)).toMatchObject({ maxStake: '50000000', dailyLossCap: '200000000', lostToday: '0' })
      const refused = cornerman('call', 'agent.queue.enqueue', '{"mode":"up_down"}', '--config', file)
      expect(await refused.exited).toBe(1)
      expect(refused.stderr()).toMatch(/HTTP 400[\s\S]*INVALID_INPUT/)
    } finally {
      await sandbox.close()
    }
  })
})

test.each([
  [
    'every address answers',
    (url: string) => `swapUrl: '${url}/jup/swap/v1', rpcUrl: '${url}/rpc'`,
    { swaps: 'ok', rpc: 'ok' },
    /nothing was sent/,
  ],
  ['there is no RPC', (url: string) => `swapUrl: '${url}/jup/swap/v1'`, { swaps: 'ok', rpc: 'warn' }, /set market.rpcUrl/],
  [
    'the DEX is dead',
    (url: string) => `swapUrl: 'http://127.0.0.1:9', rpcUrl: '${url}/rpc'`,
    { swaps: 'fail', rpc: 'ok' },
    /ECONNREFUSED.*check market.swapUrl/,
  ],
  [
    'the RPC is dead',
    (url: string) => `swapUrl: '${url}/jup/swap/v1', rpcUrl: 'http://127.0.0.1:9'`,
    { swaps: 'fail', rpc: 'fail' },
    /no contest of swaps is entered/,
  ],
  [
    'the DEX is a Swap API v1 where v2 is asked for',
    (url: string) => `dex: 'jupiterV2', swapUrl: '${url}/jup/swap/v1', rpcUrl: '${url}/rpc'`,
    { swaps: 'fail', rpc: 'ok' },
    /GET \/jup\/swap\/v1\/build of Jupiter's Swap API v2, and Jupiter answered HTTP 404.*: write market.dex: 'jupiterV1' if it is a Swap API v1/,
  ],
  [
    'the DEX is a Swap API v2 where v1 is asked for',
    (url: string) => `swapUrl: '${url}/jup/swap/v2', rpcUrl: '${url}/rpc'`,
    { swaps: 'fail', rpc: 'ok' },
    /GET \/jup\/swap\/v2\/quote of Jupiter's Swap API v1, and Jupiter answered HTTP 404.*: write market.dex: 'jupiterV2' if it is a Swap API v2/,
  ],
  [
    'the DEX is the Swap API v2 that is asked for',
    (url: string) => `dex: 'jupiterV2', swapUrl: '${url}/jup/swap/v2', rpcUrl: '${url}/rpc'`,
    { swaps: 'ok', rpc: 'ok' },
    /nothing was sent/,
  ],
])('doctor tries a swap without sending one: %s', async (_what, market, verdicts, said) => {
  const sandbox = await startSandbox({ agents: ['alice'] })
  try {
    process.env.TEST_AGENT_KEY = sandbox.agents[0]?.key ?? ''
    const file = config(`import holder from './strategies/holder.ts'
export default defineConfig({
  service: contestService({ url: '${sandbox.url}', sandbox: true }),
  market: { url: '${sandbox.url}/jup/price/v3', ${market(sandbox.url)} },
  bots: [{ name: 'alice', agentKey: secret('TEST_AGENT_KEY'), strategies: [ladder({ modes: ['same_token'] }), holder()], guard }],
})`)
    const doctor = cornerman('doctor', '--config', file, '--data-dir', join(folder, 'swaps'), '--json')
    expect(await doctor.exited).toBe(verdicts.swaps === 'ok' ? 0 : 1)
    const { checks } = jsonOf<{ checks: { name: string; verdict: string; message: string }[] }>(doctor)
    const found = checks.filter(({ name }) => name === 'swaps' || name === 'rpc')
    expect(Object.fromEntries(found.map(({ name, verdict }) => [name, verdict]))).toEqual(verdicts)
    expect(found.map(({ message }) => message).join('\n')).toMatch(said)
  } finally {
    await sandbox.close()
  }
})

test('doctor and start warn of modes that nothing plays or the guard refuses', async () => {
  const file = config(
    `export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies: [ladder({ modes: ['draft_basket', 'pnl_usd', 'up_down'] }), momentum()], guard: { ...guard, modes: ['draft_basket', 'pnl_usd'] } }] })`,
  )
  const warnings = [
    'ladder enters pnl_usd, which no strategy of alice plays: add one that does, or leave it out of its modes',
    'ladder asks for up_down, which guard.modes of alice does not allow: allow it, or leave it out of its modes',
  ]
  const doctor = cornerman('doctor', '--config', file, '--data-dir', join(folder, 'modes'), '--json')
  expect(await doctor.exited).toBe(0)
  const { checks } = jsonOf<{ checks: { name: string; verdict: string; message: string }[] }>(doctor)
  expect(checks.filter(({ verdict }) => verdict === 'warn')).toEqual(
    warnings.map((message) => ({ name: 'alice: modes', verdict: 'warn', message })),
  )
  const run = cornerman('start', '--config', file, '--data-dir', join(folder, 'modes'), '--for', '100ms', '--port', '0', '--json')
  expect(await run.exited).toBe(0)
  expect(run.logs().map(({ msg }) => msg)).toEqual(expect.arrayContaining(warnings))
})

test('doctor says whether what is isolated loads in a process of its own, which has no environment', async () => {
  const doctorOf = async (sec: string) => {
    const file = config(
      `export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', isolate: ['ladder'], strategies: [ladder({ modes: ['draft_basket'], durationSec: ${sec} }), momentum()], guard }] })`,
    )
    const run = cornerman('doctor', '--config', file, '--data-dir', join(folder, 'isolate'), '--json')
    const code = await run.exited
    const { checks } = jsonOf<{ checks: { name: string; verdict: string; message: string }[] }>(run)
    return { code, checks: checks.filter(({ name }) => name.includes('isolate')) }
  }
  process.env.TEST_DURATION = '90'
  expect(await doctorOf('60')).toEqual({
    code: 0,
    checks: [{ name: 'alice: isolate', verdict: 'ok', message: 'ladder: each loads in a process of its own' }],
  })
  expect(await doctorOf('Number(process.env.TEST_DURATION ?? 60)')).toEqual({
    code: 1,
    checks: [{ name: 'alice: isolate', verdict: 'fail', message: expect.stringContaining('gives another strategy in its own process') }],
  })
  delete process.env.TEST_DURATION
})

describe('what is no answer of the service', () => {
  test.each([
    [503, '<html>maintenance</html>', /HTTP 503: <html>maintenance<\/html>/],
    [302, '', /HTTP 302: an empty body/],
    [200, '<html>hello</html>', /HTTP 200: <html>hello<\/html>/],
    [200, '{"agent":{}}', /HTTP 200: \{\s*"agent": \{\}\s*\}/],
  ])('%i with %j: says nothing of the key, and is no result of a call', async (status, body, message) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body))
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    process.env.TEST_AGENT_KEY = 'unused'
    const file = playing(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const doctor = cornerman('doctor', '--config', file, '--data-dir', join(folder, 'doctor'), '--json')
    const call = cornerman('call', 'agent.me', '--config', file)
    expect(await doctor.exited).toBe(1)
    const { checks } = jsonOf<{ checks: { name: string; verdict: string; message: string }[] }>(doctor)
    expect(checks.filter(({ name }) => name === 'alice: key')).toEqual([])
    expect(checks.find(({ name }) => name === 'service')).toMatchObject({ verdict: 'fail', message: expect.stringMatching(message) })
    expect(await call.exited).toBe(1)
    expect(call.stdout()).toBe('')
    expect(call.stderr()).toMatch(message)
  })

  test('a service that takes a call and is silent is named, without a stack', async () => {
    const server = createServer(() => {})
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    process.env.TEST_AGENT_KEY = 'unused'
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const call = cornerman('call', 'agent.me', '--config', playing(url))
    expect(await call.exited).toBe(1)
    expect(call.stderr()).toMatch(
      new RegExp(
        `^cornerman: ${url} does not answer \\(no whole answer within 5000 ms\\): check service.url and the network \\[SERVICE_UNREACHABLE\\]\n$`,
      ),
    )
    server.closeAllConnections()
  })

  test('a price feed that is none fails, and is named', async () => {
    const sandbox = await startSandbox({ agents: ['alice'] })
    try {
      process.env.TEST_AGENT_KEY = sandbox.agents[0]?.key ?? ''
      const url = `${sandbox.url}/price/v3`
      const doctor = cornerman(
        'doctor',
        '--config',
        playing(sandbox.url, 'TEST_AGENT_KEY', url),
        '--data-dir',
        join(folder, 'doctor'),
        '--json',
      )
      expect(await doctor.exited).toBe(1)
      const { ok, checks } = jsonOf<{ ok: boolean; checks: { name: string; verdict: string; message: string }[] }>(doctor)
      expect(ok).toBe(false)
      expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([
        { name: 'prices', verdict: 'fail', message: expect.stringMatching(`^${url}: the price feed answered HTTP 404`) },
      ])
    } finally {
      await sandbox.close()
    }
  })

  test('a key that the service does not know is refused', async () => {
    const sandbox = await startSandbox({ agents: ['alice'] })
    try {
      process.env.TEST_AGENT_KEY = 'ck_wrong'
      const doctor = cornerman('doctor', '--config', playing(sandbox.url), '--data-dir', join(folder, 'doctor'), '--json')
      expect(await doctor.exited).toBe(1)
      const { checks } = jsonOf<{ checks: { name: string; verdict: string; message: string }[] }>(doctor)
      expect(checks.find(({ name }) => name === 'service')).toMatchObject({ verdict: 'ok' })
      expect(checks.find(({ name }) => name === 'alice: key')).toMatchObject({
        verdict: 'fail',
        message: expect.stringMatching(/^refused with HTTP 401: [\s\S]*check the secret named by agentKey/),
      })
    } finally {
      await sandbox.close()
    }
  })
})

test('start that is called off while it opens drains, and reports', async () => {
  const run = cornerman('start', '--data-dir', join(folder, 'calledOff'), '--port', '0', '--json')
  await run.logged(({ msg }) => msg.startsWith('sandbox at'))
  run.child.kill('SIGTERM')
  expect(await run.exited, run.stderr()).toBe(0)
  expect(jsonOf<StartReport>(run).bots.map(({ actions }) => actions?.sent)).toEqual([0, 0])
})

test('sandbox that is ended the moment it is ready closes in order', async () => {
  const run = cornerman('sandbox', '--json')
  run.child.stdout?.once('data', () => run.child.kill('SIGINT'))
  expect(await run.exited, run.stderr()).toBe(0)
})

test.each(['SIGTERM', 'SIGINT'] as const)('sandbox --json prints one line when ready, and ends on %s', async (signal) => {
  const run = cornerman('sandbox', '--agents', 'alice,bob', '--seed', '3', '--json')
  await expect.poll(() => run.stdout()).toMatch(/\n$/)
  const { url, agents } = jsonOf<{ url: string; agents: { name: string; agentId: string; key: string; wallet: string }[] }>(run)
  expect(agents.map(({ name }) => name)).toEqual(['alice', 'bob'])
  const answer = await fetch(`${url}/agent.me`, { headers: { 'x-agent-key': agents[0]?.key ?? '' } })
  expect(answer.status).toBe(200)
  run.child.kill(signal)
  expect(await run.exited).toBe(0)
})

describe('doctor --notify', () => {
  test('sends a test to each channel, and fails where one does not take it', async () => {
    const asked: string[] = []
    const telegramApi = createServer((request, response) => {
      asked.push(request.url ?? '')
      const isKnown = request.url?.includes('right-token') === true
      const answer = isKnown ? { ok: true, result: {} } : { ok: false, error_code: 401, description: 'Unauthorized' }
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    servers.push(telegramApi)
    await new Promise<void>((resolve) => telegramApi.listen(0, '127.0.0.1', resolve))
    const apiRoot = `http://127.0.0.1:${(telegramApi.address() as AddressInfo).port}`
    const file = config(`export default defineConfig({
  service: sandbox(),
  alerts: [telegram({ token: secret('TEST_TELEGRAM'), chat: '1', apiRoot: '${apiRoot}' })],
  bots: [{ name: 'alice', strategies, guard }],
})`)
    const ask = async (token: string, ...args: string[]) => {
      const run = runCornerman(['doctor', '--config', file, '--data-dir', join(folder, 'notified'), ...args], {
        env: { TEST_TELEGRAM: token },
      })
      await run.exited
      return run
        .stdout()
        .split('\n')
        .find((line) => line.includes('alerts: telegram'))
    }
    expect(await ask('right-token')).toMatch(/^ok .*was not tried/)
    expect(asked).toEqual([])
    expect(await ask('right-token', '--notify')).toMatch(/^ok .*took a test/)
    expect(await ask('wrong-token', '--notify')).toMatch(/^fail .*401 Unauthorized: check the token/)
    expect(asked).toEqual(['/botright-token/sendMessage', '/botwrong-token/sendMessage'])
  })
})

test('what a config and a strategy print is in no result', async () => {
  const file = config(`console.log('printed by the config')
const talking = { ...momentum(), pick: () => { console.info('printed by the strategy'); return undefined } }
export default defineConfig({ service: sandbox({ matchDelayMs: 0 }), bots: [{ name: 'alice', strategies: [ladder({ modes: ['draft_basket'], durationSec: 15 }), talking], guard }] })`)
  const dataDir = join(folder, 'talking')
  const run = cornerman('start', '--config', file, '--data-dir', dataDir, '--no-dashboard', '--json')
  await expect.poll(() => run.stdout() + run.stderr()).toContain('printed by the strategy')
  run.child.kill('SIGTERM')
  await run.logged(({ msg }) => msg.includes('draining'))
  // Nothing has to be drained for this; a second signal that comes sooner counts as the first.
  await sleep(1000)
  run.child.kill('SIGTERM')
  await run.exited
  expect(jsonOf<StartReport>(run).bots).toHaveLength(1)
  expect(run.stderr()).toContain('printed by the config')
})

test('a stop that cannot be written says that nothing was stopped', async () => {
  const dataDir = join(folder, 'unwritable')
  mkdirSync(join(dataDir, 'control.json'), { recursive: true })
  const run = cornerman('stop', '--now', '--data-dir', dataDir, '--json')
  expect(await run.exited).toBe(1)
  expect(run.stderr()).toMatch(/unwritable cannot be written \(.*\)\. Nothing was stopped/)
  expect(run.stdout()).toBe('')
})

describe('beside bots that play', () => {
  test('a start that is refused and a dry run leave them their page, and doctor says who runs there', async () => {
    const sandbox = await startSandbox({ agents: ['alice'] })
    try {
      process.env.TEST_AGENT_KEY = sandbox.agents[0]?.key ?? ''
      const dataDir = join(folder, 'beside')
      const args = ['--config', playing(sandbox.url), '--data-dir', dataDir]
      const page = () => readFileSync(join(dataDir, 'dashboard.url'), 'utf8')
      const playingOn = ['start', ...args, '--port', '0']
      const bots = cornerman(...playingOn)
      await bots.logged(({ msg }) => msg.startsWith('enqueue'))
      const address = page()

      const second = cornerman(...playingOn)
      expect(await second.exited, second.stderr()).toBe(2)
      expect(page()).toBe(address)
      const dryRun = async () => {
        const dry = cornerman(...playingOn, '--dry-run')
        await dry.logged(({ msg }) => msg.startsWith('dashboard: http'))
        dry.child.kill('SIGKILL')
        await dry.exited
      }
      await dryRun()
      expect(page()).toBe(address)
      const doctor = cornerman('doctor', ...args, '--json')
      await doctor.exited
      const { checks } = jsonOf<{ checks: { name: string; message: string }[] }>(doctor)
      expect(checks.find(({ name }) => name === 'lock')?.message).toBe(`process ${bots.child.pid} runs on it`)

      bots.child.kill('SIGKILL')
      await bots.exited
      await dryRun()
      expect(readdirSync(dataDir), 'whoever plays next tells of the run that died').toContain(`start.${bots.child.pid}.run.json`)
    } finally {
      await sandbox.close()
    }
  })
})

test('a result that nobody reads on is no failure', async () => {
  const run = cornerman('strategies')
  run.child.stdout?.destroy()
  expect(await run.exited).toBe(0)
  expect(run.stderr()).toBe('')
})

// Bots drain in each of them, which takes its time.
describe.concurrent('an error that nobody caught', () => {
  /** Ways in which a policy leaves something behind that fails outside of its call; each is a bot's. */
  const LEFT_BEHIND = {
    rejection: "void Promise.reject(new Error('left behind'))",
    microtask: "queueMicrotask(() => { throw new Error('left behind') })",
    timer: "setTimeout(() => { throw new Error('left behind') }, 5)",
    later: "void new Promise((resolve) => setTimeout(resolve, 5)).then(() => { throw new Error('left behind') })",
  }

  test('costs the strategy that left it: its bot and the others play on', async () => {
    const bots = Object.entries(LEFT_BEHIND).map(
      ([name, code]) =>
        `{ name: '${name}', strategies: [careless(() => { ${code} }), ladder({ modes: ['draft_basket'], durationSec: 15 }), momentum()], guard }`,
    )
    const file = config(`import { defineQueuePolicy } from 'cornerman'
import { z } from 'zod'
const careless = (leave: () => void) => {
  let isFirst = true
  return defineQueuePolicy({
    name: 'careless',
    params: z.object({}),
    decide() {
      if (isFirst) leave()
      isFirst = false
      return []
    },
  })()
}
export default defineConfig({ service: sandbox(), bots: [${bots.join(', ')}] })`)
    const run = atOnce('start', '--config', file, '--data-dir', join(folder, 'careless'), '--port', '0', '--json', '--for', '8s')
    expect(await run.exited, run.stderr()).toBe(0)
    const strays = run.logs().filter(({ code }) => code === 'STRATEGY_STRAY')
    expect(strays.map(({ bot }) => bot).toSorted()).toEqual(Object.keys(LEFT_BEHIND).toSorted())
    for (const { msg } of strays) expect(msg).toMatch(/strategy careless failed: .*left behind; it is left alone for a minute/)
    expect(
      run
        .logs()
        .filter(({ msg }) => msg.endsWith(': draining'))
        .map(({ msg }) => msg),
    ).toEqual(['time is up: draining'])
    // Not each ticket meets somebody before the time is up.
    expect(jsonOf<StartReport>(run).bots.some(({ contests }) => (contests.settled ?? 0) > 0)).toBe(true)
  })

  test('one for which nobody is found drains the bots, and the run has failed', async () => {
    const file = config(`setTimeout(() => { throw new Error('left behind') }, 6000)
export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies: [ladder({ modes: ['draft_basket'], durationSec: 15 }), momentum()], guard }] })`)
    const run = atOnce('start', '--config', file, '--data-dir', join(folder, 'of-nobody'), '--port', '0', '--json')
    expect(await run.exited).toBe(1)
    const said = run.logs().map(({ msg }) => msg)
    expect(said).toContain('an error that nobody caught: left behind')
    expect(said).toContain('an error that nobody caught: draining')
    expect(jsonOf<StartReport>(run).bots).toHaveLength(1)
  })

  /** Its log can be no file. */
  const withoutLogFile = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'log'), '')
    return join(folder, name)
  }

  test('a log that nobody reads any more, and that no file takes, drains them too, and nothing spins', async () => {
    const file = config(
      `export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies: [ladder({ modes: ['draft_basket'], durationSec: 15 }), momentum()], guard }] })`,
    )
    const run = atOnce('start', '--config', file, '--data-dir', withoutLogFile('unread'), '--port', '0', '--json')
    await run.logged(({ msg }) => msg.startsWith('enqueue'))
    run.child.stderr?.destroy()
    expect(await run.exited).toBe(1)
    expect(jsonOf<StartReport>(run).bots[0]?.actions.unknown).toBe(0)
  })

  test.skipIf(!existsSync('/dev/full'))('a log that its disk has no room for drains them too, and nothing spins', async () => {
    const file = config(
      `export default defineConfig({ service: sandbox(), bots: [{ name: 'alice', strategies: [ladder({ modes: ['draft_basket'], durationSec: 15 }), momentum()], guard }] })`,
    )
    const full = openSync('/dev/full', 'w')
    const args = ['src/cli/cornerman.js', 'start', '--config', file, '--data-dir', withoutLogFile('full'), '--no-dashboard', '--json']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', full] })
    closeSync(full)
    let stdout = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    expect(await once(child, 'close')).toEqual([1, null])
    expect((JSON.parse(stdout) as StartReport).bots[0]?.actions.unknown).toBe(0)
  })
})
