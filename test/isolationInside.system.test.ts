import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { expectPermissionModel, grantsFor } from '../src/live/isolation/grants.ts'
import { type IsolatedBot, openIsolatedBot } from './support/isolatedBot.ts'
import { TestConfigs } from './support/testConfigs.ts'

// A hostile strategy in its own process tries to get at what is the bot's; beside it one that plays.

const LIMIT_MS = 180_000
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cornerman-inside-')))
const configs = new TestConfigs()
const opened: IsolatedBot[] = []
afterEach(async () => {
  for (const bot of opened.splice(0)) await bot.close()
})
afterAll(() => {
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

const SECRET = 'planted-secret-0002'
const dataDir = join(folder, 'data')
mkdirSync(join(dataDir, 'bots'), { recursive: true })
mkdirSync(join(folder, 'models'))
const [journal, run, dotenv, model] = [
  join(dataDir, 'bots', 'alice.db'),
  join(dataDir, 'run.json'),
  join(folder, '.env'),
  join(folder, 'models', 'weights.json'),
]
for (const file of [journal, run, dotenv]) writeFileSync(file, SECRET)
writeFileSync(model, '{"weight":7}')

/** Ways to what is not the strategy's, each of which says what it got. */
const WAYS: Readonly<Record<string, string>> = {
  env: 'JSON.stringify(process.env)',
  'own environ': "fs.readFileSync('/proc/self/environ', 'utf8')",
  "the bot's environ": 'fs.readFileSync("/proc/" + process.ppid + "/environ", "utf8")',
  "the bot's memory maps": 'fs.readFileSync("/proc/" + process.ppid + "/maps", "utf8")',
  "the bot's memory": 'fs.openSync("/proc/" + process.ppid + "/mem", "r")',
  'the journal': `fs.readFileSync('${journal}', 'utf8')`,
  'the journal, by the database': `new (process.getBuiltinModule('node:sqlite')).DatabaseSync('${journal}')`,
  'run files': `fs.readFileSync('${run}', 'utf8')`,
  '.env': `fs.readFileSync('${dotenv}', 'utf8')`,
  '.env, by its loader': `process.loadEnvFile('${dotenv}')`,
  '.env, as a module': `require('${dotenv}')`,
  'the folder': `fs.readdirSync('${folder}').join()`,
  'a written file': `fs.writeFileSync('${join(folder, 'written')}', 'x')`,
  'a child': "child.execFileSync(process.execPath, ['-v'])",
  'a cluster': "process.getBuiltinModule('node:cluster').fork()",
  'a worker': "new threads.Worker('1', { eval: true })",
  'an addon': "process.dlopen({ exports: {} }, '/tmp/none.node')",
  'an inspector': "process.getBuiltinModule('node:inspector').open(0)",
  'a binding': "process.binding('process_wrap')",
  'a report': 'JSON.stringify(process.report.getReport().environmentVariables)',
  'a signal to the bot': 'process.kill(process.ppid, 0)',
  'a debugger in the bot': 'process._debugProcess(process.ppid)',
  "the bot's priority": "process.getBuiltinModule('node:os').setPriority(process.ppid, 19)",
  "the agent's lock": "net.createServer().listen({ path: '\\0cornerman-0123456789abcdef0123456789abcdef', exclusive: true })",
  'a unix socket': `net.createServer().listen('${join(folder, 'own.sock')}')`,
  'a connection to a unix socket': "net.connect('/var/run/docker.sock')",
  'a server of HTTP on a unix socket': "process.getBuiltinModule('node:http').createServer().listen('\\0cornerman-http')",
  'a pipe of the channel': `raw(process._getActiveHandles().find(({ _handle }) => _handle?.constructor?.name === 'Pipe')._handle)`,
  'a pipe of the output': 'raw(process.stdout._handle)',
  'a pipe that is opened anew': 'new net.Socket({ fd: 3 })',
  'a pipe whose methods are put back': "Object.defineProperty(process.stdout._handle.constructor.prototype, 'bind', { value: () => 0 })",
  WASI: "new (process.getBuiltinModule('node:wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } })",
}

const hostile = (body: string) => `defineQueuePolicy({ name: 'hostile', everySec: 1, params, decide: ({ log }) => { ${body} } })()`
const plain = `defineQueuePolicy({ name: 'plain', everySec: 1, params, decide: () => [entry('up_down')] })()`
const declares = `import { createRequire } from 'node:module'
import fs from 'node:fs'
import child from 'node:child_process'
import threads from 'node:worker_threads'
import net from 'node:net'
const require = createRequire(import.meta.url)
const raw = (pipe) => new pipe.constructor(1).bind('\\0cornerman-raw')`

async function open(strategies: string, isolate: string, stuckAfterMs = 2000): Promise<IsolatedBot> {
  const isolated = await openIsolatedBot({ configs, strategies, declares, isolate, dataDir, stuckAfterMs })
  opened.push(isolated)
  return isolated
}

const playsOn = ({ bot }: IsolatedBot) => bot.service.sent('agent.queue.enqueue').length > 0 && bot.end === undefined

describe('from inside an isolated process', () => {
  test(
    'nothing of the bot is had by any way, and what is granted is',
    async () => {
      process.env.TEST_PLANTED_SECRET = SECRET
      process.env.TEST_MODEL_KEY = 'model-key'
      const tries = Object.entries(WAYS).map(
        ([name, way]) =>
          `try { const got = ${way}; log.info('got', { way: ${JSON.stringify(name)}, got: String(got) }) } catch (thrown) { log.info('kept', { way: ${JSON.stringify(name)}, code: String(thrown) }) }`,
      )
      const granted = `log.info('granted', { key: process.env.TEST_MODEL_KEY, model: fs.readFileSync('${model}', 'utf8') })`
      const isolate = `['plain', { name: 'hostile', read: ['${join(folder, 'models')}'], env: ['TEST_MODEL_KEY'] }]`
      const isolated = await open([hostile(`${tries.join('\n')}\n${granted}\nreturn []`), plain].join(), isolate)
      await isolated.until(
        () => isolated.lines.some(({ message }) => message === 'granted') && playsOn(isolated),
        'it has tried, and the bot plays',
      )
      delete process.env.TEST_PLANTED_SECRET
      delete process.env.TEST_MODEL_KEY
      const got = isolated.lines.filter(({ message }) => message === 'got').map(({ fields }) => [fields?.way, fields?.got])
      const granting = '{"TEST_MODEL_KEY":"model-key"}'
      expect(Object.fromEntries(got)).toEqual({ env: granting, 'a report': granting })
      // It is asked every second, and may be in the middle of its second round.
      const kept = new Set(isolated.lines.filter(({ message }) => message === 'kept').map(({ fields }) => fields?.way))
      expect([...kept].toSorted()).toEqual(
        Object.keys(WAYS)
          .filter((way) => way !== 'env' && way !== 'a report')
          .toSorted(),
      )
      expect(JSON.stringify(isolated.lines)).not.toContain(SECRET)
      expect(isolated.lines).toContainEqual(
        expect.objectContaining({ message: 'granted', fields: { key: 'model-key', model: '{"weight":7}', strategy: 'hostile' } }),
      )
      // What has something of its own shares its process with nobody.
      expect(isolated.isolation.pids).toHaveLength(2)
    },
    LIMIT_MS,
  )

  test.each([
    [
      'ten gigabytes',
      'const all = []; for (let index = 0; index < 100; index++) all.push(Buffer.alloc(100_000_000, 1)); return []',
      'that a process may have',
    ],
    ['one allocation beyond all bounds', 'new Array(2 ** 30).fill(0); return []', 'strategy hostile failed'],
    ['an endless loop', 'return loop()', 'did not come to an end within'],
  ])(
    '%s: its process is ended, and the bot plays on',
    async (_what, body, message) => {
      const isolated = await open(
        [hostile(body), plain].join(),
        `[{ name: 'hostile', own: true }, 'plain']`,
        message.startsWith('did not') ? 2000 : 20_000,
      )
      const faults = () => isolated.bot.notes('error').filter((note) => note.startsWith('strategy hostile failed'))
      await isolated.until(() => faults().length > 0 && playsOn(isolated), 'it was ended, and the bot plays')
      expect(faults()[0]).toContain(message)
    },
    LIMIT_MS,
  )
})

describe('what is not granted', () => {
  const options = { file: join(folder, 'bots.config.ts'), bot: 'alice', dataDir }

  test.each([
    ['a folder that holds the data directory', '.', 'the data directory'],
    ['the data directory', 'data', 'the data directory'],
    ['a folder in it', 'data/bots', 'the data directory'],
    ['.env', '.env', '.env'],
  ])('%s: refused by name', (_what, path, named) => {
    expect(() => grantsFor('model', { own: false, read: [path], env: [] }, options)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(named) as string }),
    )
  })

  test('a Node without the permission model: refused with its version', () => {
    expect(() => expectPermissionModel(new Set(['--experimental-sqlite']))).toThrow(
      expect.objectContaining({ code: 'ISOLATION_UNSUPPORTED', message: expect.stringContaining(process.versions.node) as string }),
    )
    expect(() => expectPermissionModel()).not.toThrow()
  })
})
