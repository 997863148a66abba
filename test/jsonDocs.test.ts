import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withModeSaid, writeControl } from '../src/cli/control.ts'
import { SqliteJournal } from '../src/live/index.ts'
import { priceLog } from './support/priceLog.ts'
import { type CornermanRun, runCornerman } from './support/runCornerman.ts'
import { casesOf } from './support/suite/cases.ts'
import { openTestBot } from './support/testBot.ts'
import { pathOf, TestConfigs } from './support/testConfigs.ts'

// docs/json.md names every field that other programs read.

const page = readFileSync(new URL('../docs/json.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'json-'))
const runs: CornermanRun[] = []
const configs = new TestConfigs()
afterAll(() => {
  for (const { child } of runs) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
  configs.remove()
})

/** Fields whose content is not the page's to name: parameters, lines of a log, decisions, mappings. */
const OPAQUE = new Set([
  'refused',
  'params',
  'lines',
  'default',
  'recorded',
  'replayed',
  'input',
  'place',
  'sample',
  'shapes',
  'set',
  'incumbent',
])
/** Fields under which names are data, and what they name is not. */
const MAPS = new Set(['byMode', 'pieces', 'modes'])

/** Every name of a field in a document. */
function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (OPAQUE.has(name)) return [name]
    return [name, ...(MAPS.has(name) ? Object.values(inner ?? {}).flatMap(fieldsOf) : fieldsOf(inner))]
  })
}

/** The section of the page about a command, and what it says of all of them. */
const sectionOf = (command: string): string => page.split(/^## /m).find((section) => section.startsWith(command)) ?? ''

async function documentOf(...args: string[]): Promise<unknown> {
  const run = runCornerman([...args, '--json'], args[0] === 'strategies' ? {} : { cwd: folder })
  runs.push(run)
  await run.exited
  return JSON.parse(run.stdout())
}

const config = pathOf('bots.config.ts')
priceLog(folder)

/** A data directory with a bot, a mode that is closed, and a journal that cannot be read. */
function played(): string {
  const dataDir = mkdtempSync(join(folder, 'played-'))
  mkdirSync(join(dataDir, 'bots', 'broken.db'), { recursive: true })
  new SqliteJournal(join(dataDir, 'bots', 'alice.db')).close()
  writeControl(dataDir, withModeSaid({ state: 'running', bots: {} }, { mode: 'up_down', command: 'close' }, 1000), 1000)
  return dataDir
}

/** The folder of a probe that has heard who it is, and a config of that service. */
function probed(): string[] {
  const from = mkdtempSync(join(folder, 'probed-'))
  const answer = { result: { data: { json: { agent: { handle: 'alice' } } } } }
  const exchange = { n: 1, at: 1000, procedure: 'agent.me', input: null, status: 200, headers: {}, body: answer }
  writeFileSync(join(from, 'answers.jsonl'), `${JSON.stringify(exchange)}\n`)
  const facts = { version: 1, service: 'https://contests.example.com', startedAt: 1000, events: [], moves: [] }
  writeFileSync(join(from, 'facts.json'), JSON.stringify(facts))
  const text = `import { contestService, defineConfig, secret, usdc } from 'cornerman'
import ladder from './strategies/ladder.ts'
export default defineConfig({
  service: contestService({ url: 'https://contests.example.com' }),
  bots: [{ name: 'alice', agentKey: secret('KEY'), strategies: [ladder()], guard: { maxStake: usdc('1'), dailyLoss: usdc('5') } }],
})
`
  return ['probe', '--from', from, '--config', pathOf(configs.write(text))]
}

const commands: readonly [section: string, args: () => string[] | Promise<string[]>][] = [
  ['`backtest`', () => ['backtest', '--log', 'prices', '--config', config, '--bot', 'alice', '--to', '2025-07-21T12:04:00Z']],
  [
    '`replay`',
    async () => {
      const bot = await openTestBot({ recording: join(folder, 'recorded') })
      await bot.run(1000)
      bot.kill()
      return ['replay', 'recorded', '--config', config]
    },
  ],
  ['`logs`', () => ['logs', 'show', 'prices', '--limit', '1']],
  ['`logs`', () => ['logs', 'check', 'prices']],
  ['`logs`', () => ['logs', 'repair', 'prices', '--out', 'mended']],
  ['`logs`', () => ['logs', 'export', 'prices', '--out', 'tables', '--format', 'csv']],
  [
    '`logs`',
    () => {
      writeFileSync(join(folder, 'prices.csv'), 'ts,SOL\n60,180\n120,181\n')
      return ['logs', 'import', 'prices.csv', '--out', 'imported']
    },
  ],
  [
    '`logs`',
    async () => {
      const first = join(folder, 'first.csv')
      writeFileSync(first, 'ts,SOL\n60,180\n120,181\n')
      writeFileSync(join(folder, 'second.csv'), 'ts,SOL\n120,181\n180,182\n')
      const out = join(folder, 'joined')
      await runCornerman(['logs', 'import', first, '--out', out]).exited
      return ['logs', 'import', 'second.csv', '--join', out]
    },
  ],
  ['The others', () => ['strategies']],
  ['The others', () => ['doctor', '--config', config, '--data-dir', 'data']],
  ['The others', () => ['scout', '--config', config, '--data-dir', 'scouted', '--for', '6s']],
  ['The others', () => ['modes', '--data-dir', played()]],
  ['The others', () => ['modes', 'close', 'up_down', '--bot', 'alice', '--data-dir', played()]],
  ['The others', () => ['stop', '--resume', '--data-dir', played()]],
  ['The others', probed],
  ['`logs`', () => ['logs', 'demo', '--out', 'demo', '--days', '7']],
  [
    '`optimize`',
    () => [
      'optimize',
      '--log',
      'demo',
      '--strategy',
      pathOf('strategies/momentum.ts'),
      '--config',
      config,
      '--data-dir',
      'searched',
      '--budget',
      '4',
    ],
  ],
  ['`optimize`', () => ['optimize', 'list', '--data-dir', 'searched']],
]

/** Three that only read; those that play take longer. */
const tried = casesOf(commands, (_command, index) => index === 3 || index === 8 || index === 14)

test.each(tried)('docs/json.md names the fields under %s (%#)', async (section, args) => {
  const document = await documentOf(...(await args()))
  const named = new Set([...sectionOf(section).matchAll(/`\.?(\w+)(?:\[\])?`/g)].map(([, name]) => name))
  for (const shared of [...sectionOf('`start`').matchAll(/`\.?(\w+)(?:\[\])?`/g)]) if (section === '`backtest`') named.add(shared[1])
  const fields = [...new Set(fieldsOf(document))]
  expect(fields.length).toBeGreaterThan(0)
  expect(fields.filter((field) => !named.has(field))).toEqual([])
})
