import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { CHECKERS } from './checks/checkers/index.ts'

// docs/architecture.md and CONTRIBUTING.md name files, checks, scripts and floors: all of them are there.

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const isThere = (path: string) => existsSync(new URL(`../${path}`, import.meta.url))

const ARCHITECTURE = read('docs/architecture.md')
const PAGES = { 'docs/architecture.md': ARCHITECTURE, 'CONTRIBUTING.md': read('CONTRIBUTING.md') }

const cruiserSchema = z.object({
  forbidden: z.array(z.looseObject({ name: z.string(), to: z.looseObject({ pathNot: z.unknown().optional() }) })),
})
const { forbidden } = cruiserSchema.parse(createRequire(import.meta.url)('../.dependency-cruiser.cjs'))

const manifest = z.looseObject({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))
const checks = [...CHECKERS.map(({ name }) => name), 'planted']

/** What stands in backticks. */
const codeIn = (page: string): string[] => [...page.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** The files and folders that a page names; of `src/guard/rules/<rule>.ts`, which is to be written, the folder. */
function pathsIn(page: string): string[] {
  const named = codeIn(page).filter((code) => /^\.?[\w-]+(?:\/[\w.<>-]*)+$|^\.?[\w-]+\.(?:ts|cjs|md|json)$/.test(code))
  return named.filter((path) => !path.startsWith('cornerman/')).map((path) => path.replace(/<.*$/, ''))
}

/** The cells of the rows beneath a heading of a table. */
function rowsUnder(header: string): string[][] {
  const [, below = ''] = ARCHITECTURE.split(`| ${header} |`)
  const lines = below.split('\n').slice(2)
  const end = lines.findIndex((line) => !line.startsWith('|'))
  return lines.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

describe.each(Object.entries(PAGES))('%s', (_name, page) => {
  test('names files and folders that there are', () => {
    const paths = pathsIn(page)
    expect(paths.length).toBeGreaterThan(30)
    expect(paths.filter((path) => !isThere(path))).toEqual([])
  })

  test('names checks and scripts that there are', () => {
    const commands = codeIn(page).filter((code) => code.startsWith('npm run '))
    const asked = commands.flatMap((command) => /^npm run check -- (.+)$/.exec(command)?.[1]?.split(' ') ?? [])
    const named = [...page.matchAll(/check `([^`]+)`/g)].map(([, name = '']) => name)
    expect([...asked, ...named].filter((name) => !checks.includes(name))).toEqual([])
    expect(commands.filter((command) => !((command.split(' ')[2] ?? '') in manifest.scripts))).toEqual([])
  })
})

test('the floors of docs/architecture.md are those of .dependency-cruiser.cjs', () => {
  const floors = rowsUnder('folder | what it is | may import').flatMap(([folder = '', , allowed = '']) => {
    const name = /^`src\/(\w+)\/`$/.exec(folder)?.[1] ?? folder
    return name === 'cli' ? [] : [[name, [name, ...codeIn(allowed)].toSorted()] as const]
  })
  const rules = forbidden.flatMap(({ name, to }) => {
    const folders = /^\^src\/\(\?:([\w|]+)\)\/$/.exec(String(to.pathNot))?.[1]?.split('|')
    const floor = name.replace(/^floor-/, '')
    return name.startsWith('floor-') && folders?.includes(floor) ? [[floor, folders.toSorted()] as const] : []
  })
  expect(rules.length).toBeGreaterThan(10)
  expect(Object.fromEntries(floors)).toEqual(Object.fromEntries(rules))
})

test('the laws are numbered in order, and each is held by a check or a test', () => {
  const laws = rowsUnder('no. | law | held by')
  expect(laws.length).toBeGreaterThan(10)
  expect(laws.map(([number]) => Number(number))).toEqual(laws.map((_, index) => index + 1))
  const isHeld = (by: string) => /check `/.test(by) || pathsIn(by).some((path) => /\.test\.ts$/.test(path))
  expect(laws.filter(([, , by = '']) => !isHeld(by)).map(([number]) => number)).toEqual([])
})

test('the rules in brackets are rules of their checks', () => {
  const [, laws = ''] = ARCHITECTURE.split('## The laws')
  const named = [...laws.matchAll(/check `imports` \(([^)]+)\)/g)].flatMap(([, list = '']) => codeIn(list))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !forbidden.some((rule) => rule.name === name))).toEqual([])
  const rules = [...laws.matchAll(/check `rules` \(([^)]+)\)/g)].flatMap(([, list = '']) => codeIn(list))
  const planted = new Set(CHECKERS.find(({ name }) => name === 'rules')?.plants.map(({ rule }) => rule))
  expect(rules.length).toBeGreaterThan(3)
  expect(rules.filter((rule) => !planted.has(rule))).toEqual([])
})
