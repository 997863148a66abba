import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCornerman } from './support/runCornerman.ts'
import { TestConfigs } from './support/testConfigs.ts'

// A mapping that cannot be used is the caller's mistake, whichever command meets it first.

const folder = mkdtempSync(join(tmpdir(), 'shapes-input-'))
const configs = new TestConfigs()
afterAll(() => {
  configs.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Nobody listens there: a mapping is looked at before the network is. */
const URL = 'http://127.0.0.1:9'

function configOf(service: string): string {
  return configs.write(`import { contestService, defineConfig, secret, usdc } from 'cornerman'
import momentum from './strategies/momentum.ts'
export default defineConfig({
  service: contestService({ url: '${URL}', ${service} }),
  bots: [{ name: 'ann', agentKey: secret('ANN_KEY'), guard: { maxStake: usdc('5'), dailyLoss: usdc('20') }, strategies: [momentum()] }],
})`)
}

function fileOf(name: string, json: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, typeof json === 'string' ? json : JSON.stringify(json))
  return file
}

const COMMANDS = [['start', '--no-dashboard'], ['doctor'], ['probe']] as const

const missing = join(folder, 'missing.json')
const index = fileOf('index.json', { version: 1, pieces: { entryId: 'contest:entries.0.id' } })
const newer = fileOf('newer.json', { version: 2 })
const torn = fileOf('torn.json', '{"version"')
const another = fileOf('another.json', { version: 1, service: 'https://contests.example.com' })
const pool = fileOf('pool.json', { version: 1, pieces: { pool: 'state:left' } })

test.each([
  ['a file that is not there', `shapes: '${missing}'`, `service.shapes = '${missing}': there is no such file; probe --write makes one`],
  [
    'an index',
    `shapes: '${index}'`,
    `${index}: pieces.entryId = 'contest:entries.0.id': "entries.0.id": an index names whoever sits there; say rows and by [SHAPES_INVALID]`,
  ],
  ['a newer version', `shapes: '${newer}'`, `${newer}: version = 2: this release reads version 1 and older`],
  ['what is no JSON', `shapes: '${torn}'`, `${torn}: is no JSON`],
  [
    'another service',
    `shapes: '${another}'`,
    `${another}: the mapping was made for https://contests.example.com, and the config plays at ${URL}`,
  ],
  [
    'one field in paths and in the file',
    `shapes: '${pool}', paths: { available: ['pool'] }`,
    `service.paths.available: ${pool} says in pieces.pool where it is: leave one of the two out [CONFIG_INVALID]`,
  ],
  [
    'one field in paths and in the config',
    "shapes: { pieces: { turn: { at: 'state:turn', is: 'handle' } } }, paths: { yourTurn: ['mine'] }",
    'service.paths.yourTurn: shapes.pieces.turn says where it is: leave one of the two out',
  ],
  [
    'an index in the config',
    "shapes: { pieces: { turn: { at: 'state:rows[0].id', is: 'entryId' } } }",
    `service.shapes.pieces.turn.at = 'state:rows[0].id': "rows[0].id": an index names whoever sits there; say rows and by`,
  ],
])('%s ends a command with 2, and says what is allowed', async (what, service, words) => {
  const config = configOf(service)
  // Each command meets one mistake of each kind: what is checked is one for all of them.
  const commands = what === 'an index' || what.endsWith('the config') ? COMMANDS : [COMMANDS[0]]
  const runs = commands.map((command) =>
    runCornerman([...command, '--config', config, '--data-dir', join(folder, 'data')], { env: { ANN_KEY: 'key-of-ann-0123456789' } }),
  )
  const ends = await Promise.all(runs.map(async ({ exited, stderr }) => ({ code: await exited, said: stderr() })))
  for (const [at, end] of ends.entries())
    expect([commands[at]?.[0], end]).toEqual([commands[at]?.[0], { code: 2, said: expect.stringContaining(words) }])
})
