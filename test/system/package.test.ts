import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageFolder } from '../../src/fleet/bundle.ts'
import { BUILT_FROM, frameworkOf, hashOfSources, packagesOf } from '../../src/fleet/framework.ts'
import { endOf } from '../support/endOf.ts'
import { startReport } from '../support/startReport.ts'
import { copyCheckout, linkPackages } from '../support/workingCopy.ts'

// The way of somebody who has the framework as a package: a folder that `init` makes, installed from the registry, outside the clone.

const ROOT = join(import.meta.dirname, '../..')
const root = mkdtempSync(join(tmpdir(), 'cornerman-package-'))
const bots = join(root, 'my-bots')
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Ran {
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command as typed in a folder, and fails with what it printed. */
async function run(cwd: string, [command = '', ...args]: readonly string[], exit = 0): Promise<Ran> {
  // The Node of the machine, and not the one that npm has put first for this test.
  const PATH = (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')
  // What the first installation has fetched is there for the second.
  const npm = { npm_execpath: undefined, npm_config_prefer_offline: 'true' }
  const env = { ...process.env, ...npm, PATH, NO_COLOR: '1', FORCE_COLOR: undefined, NODE_ENV: undefined }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const { stdout, stderr, exitCode } = await endOf(child)
  expect(exitCode, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(exit)
  return { stdout, stderr }
}

const cornerman = (...args: readonly string[]) => run(bots, ['npm', 'run', '--silent', 'cornerman', '--', ...args])

beforeAll(async () => {
  await run(ROOT, ['npm', 'run', '--silent', 'cornerman', '--', 'init', bots])
  const { stdout, stderr } = await run(bots, ['npm', 'install'])
  expect(`${stdout}${stderr}`.trim().split('\n').length, `${stdout}${stderr}`).toBeLessThanOrEqual(6)
})

test('the package holds what is run and read, and no sources or tests', () => {
  const own = join(bots, 'node_modules/cornerman')
  expect(readdirSync(own).toSorted()).toEqual(
    [
      'CHANGELOG.md',
      'Dockerfile',
      'LICENSE',
      'README.md',
      'bots.config.ts',
      'compose.yaml',
      'dist',
      'docs',
      'package.json',
      'strategies',
    ].toSorted(),
  )
  const files = readdirSync(join(own, 'dist'), { recursive: true, encoding: 'utf8' })
  expect(files.length).toBeGreaterThan(1000)
  expect(files.filter((file) => file.includes('.test.') && !file.includes('templates'))).toEqual([])
  expect(files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.includes('templates'))).toEqual([])
})

test('it is of the same version as the clone, to the fleet of a search', () => {
  const own = join(bots, 'node_modules/cornerman')
  const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Parameters<typeof packagesOf>[0]
  expect(readFileSync(join(own, 'dist', BUILT_FROM), 'utf8').trim()).toBe(hashOfSources(join(ROOT, 'src')))
  expect(packagesOf(manifestOf(own))).toEqual(packagesOf(manifestOf(ROOT)))
  // The registry may have newer ones of some packages than the clone's lock file names.
  const versions = packagesOf(manifestOf(own)).map((name) => [
    name,
    ...[own, ROOT].map((folder) => {
      const found = packageFolder(folder, name)
      return found === undefined
        ? undefined
        : (JSON.parse(readFileSync(join(found, 'package.json'), 'utf8')) as { version: string }).version
    }),
  ])
  const isSame = versions.every(([, there, here]) => there === here)
  expect([isSame, frameworkOf(own) === frameworkOf(ROOT)]).toEqual([isSame, isSame])
  expect(versions.filter(([, there]) => there === undefined)).toEqual(versions.filter(([, , here]) => here === undefined))
})

test('init says what is in its way, and leaves nothing behind', async () => {
  const init = (folder: string) => run(ROOT, ['npm', 'run', '--silent', 'cornerman', '--', 'init', folder], 2)
  expect((await init(bots)).stderr).toContain('is there already, and holds')
  expect((await init(join(ROOT, 'test/my-bots'))).stderr).toContain("lies in the framework's own folder")
  expect(existsSync(join(ROOT, 'test/my-bots'))).toBe(false)
  const file = join(root, 'file')
  writeFileSync(file, '')
  expect((await init(file)).stderr).toContain('cannot be read as a folder')
})

// A play and the registry are waited for while the tests of the folder run.
describe('what is used as it is', () => {
  test.concurrent('it plays, and every mode is settled', async () => {
    const { stdout } = await run(bots, ['npm', '--silent', 'start', '--', '--for', '70s', '--json', '--port', '0'])
    const report = startReport.parse(JSON.parse(stdout))
    const settled = new Set(report.bots.flatMap(({ byMode }) => Object.keys(byMode)))
    expect([...settled].toSorted()).toHaveLength(9)
  })

  test.concurrent('what is installed for use takes at most 200 MB beside Node', async () => {
    const light = join(root, 'light')
    mkdirSync(light)
    const { dependencies } = JSON.parse(readFileSync(join(bots, 'package.json'), 'utf8'))
    cpSync(join(bots, 'vendor'), join(light, 'vendor'), { recursive: true })
    cpSync(join(bots, '.npmrc'), join(light, '.npmrc'))
    writeFileSync(join(light, 'package.json'), JSON.stringify({ private: true, dependencies: { cornerman: dependencies.cornerman } }))
    await run(light, ['npm', 'install', '--omit=dev', '--no-audit', '--no-fund'])
    const sizeOf = async (path: string) => Number((await run(light, ['du', '-sm', path])).stdout.split('\t')[0])
    const node = readdirSync(join(light, 'node_modules')).filter((name) => name.startsWith('node-linux'))
    const ofNode = await Promise.all(node.map((name) => sizeOf(`node_modules/${name}`)))
    expect((await sizeOf('node_modules')) - ofNode.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200)
  })

  test.concurrent('its tests pass and its types are sound, also by other settings than its own', async () => {
    const { stdout } = await run(bots, ['npm', 'test'])
    expect(stdout).toMatch(/Test Files\s+8 passed/)
    await run(bots, ['npm', 'run', '--silent', 'types'])
    writeFileSync(
      join(bots, 'tsconfig.strict.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        compilerOptions: { skipLibCheck: false, exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false },
      }),
    )
    writeFileSync(
      join(bots, 'doors.ts'),
      "export * as own from 'cornerman'\nexport * as testing from 'cornerman/testing'\nexport * as backtests from 'cornerman/backtest'\n",
    )
    await run(bots, ['npx', '--no-install', 'tsc', '--project', 'tsconfig.strict.json'])
  })
})

test('npm packs the same as init does, and leaves the manifest of the clone as it was', async () => {
  const clone = join(root, 'clone')
  copyCheckout(clone)
  linkPackages(clone)
  const before = readFileSync(join(clone, 'package.json'), 'utf8')
  const { stdout } = await run(clone, ['npm', 'publish', '--dry-run', '--json'])
  expect(readFileSync(join(clone, 'package.json'), 'utf8')).toBe(before)
  expect(existsSync(join(clone, 'dist'))).toBe(false)
  // Of a workspace there would be several.
  const [report] = Object.values(JSON.parse(stdout) as Readonly<Record<string, { readonly files: readonly { readonly path: string }[] }>>)
  const packed = report?.files.map(({ path }) => path) ?? []
  const own = join(bots, 'node_modules/cornerman')
  const installed = readdirSync(own, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = installed.map(({ parentPath, name }) => relative(own, join(parentPath, name)))
  expect(packed.toSorted()).toEqual(paths.filter((path) => !path.startsWith('node_modules/')).toSorted())
})

test('a backtest comes to the same there as in the clone', async () => {
  const prices = 'sandbox/data/31-coins-1m-closes-2025-07.csv.gz'
  await cornerman('logs', 'import', `node_modules/cornerman/dist/${prices}`, '--out', 'imported')
  const args = ['backtest', '--log', join(bots, 'imported'), '--json', '--to', '2025-07-22T12:00:00Z']
  const fingerprintsOf = ({ stdout }: Ran) => (JSON.parse(stdout) as { bots: { fingerprint: string }[] }).bots.map((bot) => bot.fingerprint)
  const there = fingerprintsOf(await cornerman(...args))
  const here = fingerprintsOf(await run(ROOT, ['npm', 'run', '--silent', 'cornerman', '--', ...args]))
  expect(there).toHaveLength(2)
  expect(there).toEqual(here)
})

// Once the tests of what `init` makes are counted, and prices are imported.
describe('what is added to it', () => {
  test.concurrent('scripts backtest through the door, and an isolated strategy is found', async () => {
    writeFileSync(
      join(bots, 'notebook.ts'),
      [
        "import { backtest, summaryOf } from 'cornerman/backtest'",
        "import config from './bots.config.ts'",
        "const run = await backtest({ config, bots: ['alice'], logs: ['imported'], seed: 1, to: Date.parse('2025-07-21T18:00:00Z') })",
        'console.log(summaryOf(run).bots[0]?.name)',
      ].join('\n'),
    )
    expect((await run(bots, ['node_modules/.bin/node', 'notebook.ts'])).stdout).toBe('alice\n')
    const config = readFileSync(join(bots, 'bots.config.ts'), 'utf8')
    writeFileSync(join(bots, 'isolated.config.ts'), config.replaceAll("name: 'alice',", "name: 'alice',\n      isolate: ['momentum'],"))
    const args = [
      'start',
      '--config',
      'isolated.config.ts',
      '--data-dir',
      '.cornerman-isolated',
      '--bot',
      'alice',
      '--for',
      '20s',
      '--json',
    ]
    const { stderr } = await cornerman(...args, '--port', '0')
    expect(stderr).not.toContain('"level":"error"')
  })

  test.concurrent('a new strategy is written, tested and tried there', async () => {
    await cornerman('new-strategy', 'my-edge', '--kind', 'draft')
    await run(bots, ['npm', 'test', '--', 'strategies/my-edge.test.ts'])
    const { stdout } = await cornerman(
      'backtest',
      '--log',
      'imported',
      '--strategy',
      'strategies/my-edge.ts',
      '--to',
      '2025-07-21T18:00:00Z',
    )
    expect(stdout).toContain('my-edge')
  })
})
