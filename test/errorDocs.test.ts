import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { EXIT, exitCodeOf } from '../src/cli/exit.ts'
import { CornermanError } from '../src/core/error.ts'
import { errorsMadeIn } from './support/docs/errorsMade.ts'

// docs/errors.md lists every code that somebody can meet and no other page lists.

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

interface Row {
  readonly code: string
  readonly exit: string
}

const rows = read('docs/errors.md')
  .split('\n')
  .flatMap((line): Row[] => {
    const [code, , , exit = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const [, name] = /^`([A-Z][A-Z0-9_]*)`$/.exec(code ?? '') ?? []
    return name === undefined ? [] : [{ code: name, exit }]
  })
const listed = new Set(rows.map(({ code }) => code))

/** Pages that list codes of their own, which docs/errors.md refers to. */
const elsewhere = new Set(
  ['docs/guard.md', 'docs/sandbox.md', 'docs/log-format.md'].flatMap((page) =>
    [...read(page).matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, code = '']) => code),
  ),
)

/** Codes that nobody outside meets, and why. */
const INNER: Readonly<Record<string, string>> = {
  BODY_NOT_JSON: 'answered as INVALID_INPUT, or in the words of the DEX or the chain',
  BODY_TOO_LARGE: 'the same',
  DEX_REFUSED: 'answered as the DEX does, without a code',
  JOURNAL_ROW_UNREADABLE: 'its words go into a JOURNAL_CORRUPT, or a finding of logs check',
  METHOD_NOT_SUPPORTED: 'answered as INVALID_INPUT',
  OWNER_INPUT: 'the same',
  RPC_REFUSED: 'answered with a code of JSON-RPC',
  WEBHOOK_HOST: 'a delivery that failed, and is tried again',
}

const isOfTests = (path: string) => /\.test\.tsx?$|[/\\]test[A-Z]\w*\.ts$/.test(path)
const made = errorsMadeIn(globSync('src/**/*.{ts,tsx}').filter((path) => !isOfTests(path)))
const codes = [...new Set(made.flatMap((each) => each.codes))].toSorted()
const exitOf = (code: string) => exitCodeOf(new CornermanError(code, ''))

describe('docs/errors.md', () => {
  test('of every place where an error is made the code is known', () => {
    expect(made.length).toBeGreaterThan(100)
    // A code that comes over from a worker, or from another host, was given to an error there.
    expect(made.filter((each) => each.codes.length === 0).map(({ place }) => place.replace(/:\d+$/, ''))).toEqual([
      join('src', 'live', 'isolation', 'pack.ts'),
      join('src', 'fleet', 'fleetPool.ts'),
      join('src', 'cli', 'runs', 'optimize', 'threadPool.ts'),
    ])
  })

  test('lists every code that is made and that no other page lists', () => {
    expect(codes.filter((code) => !listed.has(code) && !elsewhere.has(code) && !(code in INNER))).toEqual([])
  })

  test('lists each once, and none that nothing makes', () => {
    expect(rows.map(({ code }) => code).filter((code, place, all) => all.indexOf(code) < place)).toEqual([])
    expect([...listed].filter((code) => !codes.includes(code))).toEqual([])
    expect([...listed].filter((code) => elsewhere.has(code))).toEqual([])
  })

  test('leaves out what is made inside and met by nobody', () => {
    expect(Object.keys(INNER).filter((code) => !codes.includes(code))).toEqual([])
    expect(Object.keys(INNER).filter((code) => listed.has(code))).toEqual([])
  })

  test('its exit codes are those of the commands', () => {
    expect(rows.filter(({ exit }) => !['', '1', '2'].includes(exit))).toEqual([])
    // Where none is stated no command is ended, and so none by a mistake of its caller's.
    expect(rows.filter(({ code, exit }) => exitOf(code) !== Number(exit === '' ? EXIT.failed : exit))).toEqual([])
    expect(codes.filter((code) => exitOf(code) === EXIT.usage && !listed.has(code))).toEqual([])
  })

  test('no command ends by a code that nothing makes', () => {
    const usage = [...read('src/cli/exit.ts').matchAll(/^ {2}'([A-Z_]+)',$/gm)].map(([, code = '']) => code)
    expect(usage.length).toBeGreaterThan(30)
    expect(usage.filter((code) => !codes.includes(code))).toEqual([])
  })
})

describe('the codes of an error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'errors-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    ['stated', "throw new CornermanError('ONE')", ['ONE']],
    ['chosen', "throw new CornermanError(isOdd ? 'ONE' : 'TWO')", ['ONE', 'TWO']],
    ['of a table', "const CODES = { a: 'ONE', b: 'TWO' } as const\nthrow new CornermanError(CODES[key])", ['ONE', 'TWO']],
    ['of a type', "declare const given: 'ONE' | 'TWO' | undefined\nthrow new CornermanError(given ?? 'THREE')", ['ONE', 'TWO', 'THREE']],
    ['taken apart', "const [code, text] = isOdd ? ['ONE', 'a'] : ['TWO', 'b']\nthrow new CornermanError(code ?? '', text)", ['ONE', 'TWO']],
    ['made beside', "export const one = () => new CornermanError('ONE')", ['ONE']],
    ['of a class of its own', "class Own extends CornermanError {}\nthrow new Own('ONE')", ['ONE']],
    [
      'given to a class of its own',
      "class Own extends CornermanError {\n  constructor(text: string, code?: string) {\n    super(code ?? 'TWO', text)\n  }\n}\nthrow new Own('a', 'ONE')",
      ['ONE', 'TWO'],
    ],
    ['seen in part', "export const one = (code?: string) => new CornermanError(code ?? 'ONE')", []],
    ['nowhere to be seen', 'export const one = (code: string) => new CornermanError(code)', []],
  ])('%s', (what, source, expected) => {
    const file = join(folder, `${what.replaceAll(' ', '')}.ts`)
    writeFileSync(
      file,
      `class CornermanError { constructor(readonly code: string, readonly text?: string) {} }\ndeclare const isOdd: boolean\ndeclare const key: 'a' | 'b'\n${source}\nexport {}\n`,
    )
    expect(errorsMadeIn([file]).flatMap((each) => each.codes)).toEqual(expected)
  })
})
