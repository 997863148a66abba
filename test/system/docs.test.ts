import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examples } from '../support/docs/examples.ts'
import { type Fence, fencesOf } from '../support/docs/fences.ts'
import { IS_LONG } from '../support/suite/long.ts'
import { openWorkingCopy, type WorkingCopy } from '../support/workingCopy.ts'

// Whatever stands in a code block of the documentation, or in an example of a doc string, is compiled, run or parsed, in a working
// copy of the project.

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs/guide', 'docs', 'docs/ops'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
]
const fences = PAGES.flatMap((page) => fencesOf(page, readFileSync(page, 'utf8')))
const of = (...languages: readonly string[]): readonly Fence[] => fences.filter(({ language }) => languages.includes(language))

/** `ini`, `text` and blocks without a word are for people: units, proxies, pictures of output. */
const LANGUAGES = ['ts', 'sh', 'json', 'ndjson', 'python', 'ini', 'text', '']
/** Ends what hangs. */
const COMMAND_MS = 20 * 60_000

/** The file a block is, as its first line says; else one of its own. */
function fileOf({ code }: Fence, number: number): string {
  return /^\/\/ (\S+\.ts)$/m.exec(code.split('\n')[0] ?? '')?.[1] ?? `test/blocks/block${number}.ts`
}

const ofDocStrings = examples()
const files = [
  ...of('ts').map((fence, number) => ({ fence, file: fileOf(fence, number) })),
  ...ofDocStrings.map((fence, number) => ({ fence, file: `test/blocks/example${number}.ts` })),
]

let copy: WorkingCopy
/** A planted fault of types, beside the blocks. */
const PLANTED = 'test/blocks/planted.ts'
let compiled: Promise<string>
beforeAll(() => {
  copy = openWorkingCopy()
  // What a page has its reader save is there when its commands ask for it.
  for (const { fence, file } of files) {
    const path = join(copy.folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, fence.code)
  }
  // It takes as long as all the commands that wait for a play.
  writeFileSync(join(copy.folder, PLANTED), "export const planted: number = 'text'\n")
  compiled = tsc(copy.folder)
})
afterAll(() => copy[Symbol.dispose]())

const where = ({ page, line }: Fence): string => `${page}:${line}`

test('there are blocks, and each is of a language that is looked at here', () => {
  expect(of('ts').length).toBeGreaterThan(8)
  expect(of('sh').length).toBeGreaterThan(8)
  expect(ofDocStrings.length).toBeGreaterThan(40)
  expect(fences.filter(({ language }) => !LANGUAGES.includes(language)).map(where)).toEqual([])
})

/** What the compiler says. In the meantime the test runner is to hear of this file, so it is not waited for in place. */
function tsc(cwd: string): Promise<string> {
  const child = spawn('npm', ['exec', '--silent', '--', 'tsc', '--noEmit', '-p', '.'], { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  return text(child.stdout)
}

describe('sh', () => {
  const variables: Record<string, string> = {}
  let sandbox: ReturnType<typeof spawn>
  beforeAll(async () => {
    // Blocks that ask a sandbox find one where their variables say.
    sandbox = spawn(
      'npm',
      ['exec', '--silent', '--', 'node', 'src/cli/cornerman.js', 'sandbox', '--port', '0', '--agents', 'alice', '--json'],
      {
        ...{ cwd: copy.folder, detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
      },
    )
    const [line] = (await once(sandbox.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    const ready = JSON.parse(line.toString()) as { url: string; ownerToken: string; agents: readonly { key: string }[] }
    Object.assign(variables, { KEY: ready.agents[0]?.key, PORT: new URL(ready.url).port, OWNER_TOKEN: ready.ownerToken })
  })
  afterAll(() => {
    if (sandbox.pid !== undefined) process.kill(-sandbox.pid, 'SIGTERM')
  })

  // The README first: what it makes, the other pages read.
  test.each(newCommands(of('sh')))('%s runs', async (_where, commands) => {
    for (const command of commands) {
      const { exitCode, output } = await run(command, { cwd: copy.folder, variables })
      expect(exitCode, `${command}\n${output}`).toBe(0)
    }
  })
})

/** The blocks, with the commands that none before them has. The same one would find what it left, and do it once more. */
function newCommands(blocks: readonly Fence[]): readonly [where: string, commands: readonly string[]][] {
  const seen = new Set<string>()
  return blocks.flatMap((fence) => {
    const commands = commandsOf(fence.code).filter((command) => !seen.has(command))
    for (const command of commands) seen.add(command)
    return commands.length === 0 ? [] : [[where(fence), commands]]
  })
}

/** One command a line, unless it goes on after a backslash. What the copy has already is left out; what plays for ever plays for a while. */
function commandsOf(code: string): readonly string[] {
  const commands = code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
  return commands
    .filter((command) => command !== '' && !command.startsWith('#') && !/^(?:npm (?:install|ci)|git clone|cd) ?/.test(command))
    .map((command) => (command === 'npm start' ? 'npm start -- --for 5s' : command))
    .map((command) => (IS_LONG ? command : shortened(command)))
}

/** It plays as it says with `LONG_TESTS=yes`; else for as long as it takes to have played, and the demo until it has killed a host. */
const shortened = (command: string): string =>
  command.replace(/(npm start -- .*--for) \d+s/, '$1 5s').replace(/(fleet demo)$/, '$1 --for 25s')

async function run(
  command: string,
  { cwd, variables }: { cwd: string; variables: Record<string, string> },
): Promise<{ exitCode: number; output: string }> {
  const child = spawn('bash', ['-c', command], {
    cwd,
    detached: true,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-4000)))
  const ended = once(child, 'close') as Promise<[number | null]>
  const isServer = /cornerman -- sandbox\b/.test(command)
  // A server that has said where it is does what it is to do.
  if (isServer) {
    while (!output.includes('http://127.0.0.1:') && child.exitCode === null) await delay(50)
    process.kill(-(child.pid ?? 0), 'SIGTERM')
  }
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), COMMAND_MS)
  const [exitCode] = await ended
  clearTimeout(timer)
  return { exitCode: isServer && output.includes('http://127.0.0.1:') ? 0 : (exitCode ?? 1), output }
}

describe('other blocks', () => {
  test.each(of('json').map((fence) => [where(fence), fence] as const))('%s is JSON', (_where, { code }) => {
    expect(() => JSON.parse(code) as unknown).not.toThrow()
  })

  test.each(of('ndjson').map((fence) => [where(fence), fence] as const))('%s is a JSON document a line', (_where, { code }) => {
    for (const line of code.split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow()
  })

  test.each(of('python').map((fence) => [where(fence), fence] as const))('%s is Python', (_where, { code }) => {
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: code })
  })
})

describe('ts', () => {
  test('every block compiles, strictly, where it says it stands', async () => {
    const said = await compiled
    const wrong = files.filter(({ file }) => said.includes(file)).map(({ fence, file }) => `${where(fence)} (${file})`)
    expect(wrong, said).toEqual([])
    const lines = said.split('\n').filter((line) => line !== '')
    expect(lines, 'the planted fault, and nothing else').toEqual([expect.stringContaining(`${PLANTED}(1,`)])
  })
})
