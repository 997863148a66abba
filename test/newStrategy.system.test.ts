import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { newStrategy, nextSteps, TEMPLATES, type TemplateKind } from '../src/cli/runs/newStrategy.ts'
import { Checkout } from './support/checkout.ts'

const MAIN = 'src/cli/cornerman.js'
const KINDS = Object.keys(TEMPLATES) as TemplateKind[]
const LONGEST = 'a'.repeat(40)

const checkout = new Checkout()
afterAll(() => checkout[Symbol.dispose]())

const read = (path: string) => readFileSync(join(checkout.root, path), 'utf8')
const strategies = () => readdirSync(join(checkout.root, 'strategies'))

describe('new-strategy', () => {
  test('writes strategies of every kind, of any name, whose tests pass at once and which Biome finds nothing in', async () => {
    const names = { queue: 'q', draft: 'class', predict: 'my-own-edge', trade: 'swap', custom: LONGEST } as const
    for (const kind of KINDS) {
      newStrategy(names[kind], kind, join(checkout.root, 'strategies/tested'))
      for (const name of ['q', LONGEST]) newStrategy(name, kind, join(checkout.root, 'strategies/checked', kind))
    }
    const tested = await checkout.run('vitest', 'run', '--project', 'fast', 'strategies/tested')
    expect(tested.exitCode, tested.output).toBe(0)
    expect(tested.output).toContain(`Test Files  ${KINDS.length} passed`)
    const checked = await checkout.run('biome', 'check', 'strategies/tested', 'strategies/checked')
    expect(checked.exitCode, checked.output).toBe(0)
    expect(checked.output).toContain(`Checked ${6 * KINDS.length} files`)
  })

  test('says what to do next, and the file is called what it says', async () => {
    const { exitCode, output } = await checkout.run(MAIN, 'new-strategy', 'my-edge', '--kind', 'trade')
    expect(exitCode).toBe(0)
    expect(output).toContain('wrote strategies/my-edge.ts and strategies/my-edge.test.ts')
    expect(output).toContain("import myEdge from './strategies/my-edge.ts'")
    expect(output).toContain('npm test -- strategies/my-edge.test.ts')
    expect(output).toContain('--strategy strategies/my-edge.ts')
    expect(read('strategies/my-edge.ts')).toContain("name: 'my-edge',")
    expect(read('strategies/my-edge.test.ts')).toContain("import myEdge from './my-edge.ts'")
  })

  test('what it says runs: a backtest plays it without a change to the config', async () => {
    const made = newStrategy('dips', 'trade', join(checkout.root, 'strategies'))
    const commands = nextSteps({ ...made, file: 'strategies/dips.ts' }).filter((line) => line.includes('npm run cornerman'))
    for (const command of commands) {
      const { exitCode, output } = await checkout.run(MAIN, ...command.replace(/.* -- /, '').split(' '))
      expect(exitCode, output).toBe(0)
    }
    const report = read('report.html')
    expect(report).toContain('dips')
    expect(report).not.toMatch(/(?:src|href)="https?:/)
  })

  test.each<readonly [what: string, args: readonly string[], says: RegExp]>([
    ['no kind', ['mine'], /--kind/],
    ['a kind that there is not', ['mine', '--kind', 'odd'], /Allowed choices are queue, draft, predict, trade, custom/],
    ['no name', ['--kind', 'trade'], /name/],
    ['a name in capitals', ['Mine', '--kind', 'trade'], /'Mine' is not a name for a strategy.*my-edge or myEdge/],
  ])('%s: exits 2, says so, and writes nothing', async (_, args, says) => {
    const before = strategies()
    const { exitCode, output } = await checkout.run(MAIN, 'new-strategy', ...args)
    expect(output).toMatch(says)
    expect(exitCode).toBe(2)
    expect(strategies()).toEqual(before)
  })

  test.each(['one.ts', 'other.test.ts'])('overwrites neither a strategy nor a test: %s', async (file) => {
    const path = join(checkout.root, 'strategies', file)
    writeFileSync(path, '// mine\n')
    const before = strategies()
    const { exitCode, output } = await checkout.run(MAIN, 'new-strategy', file.replace(/\..*/, ''), '--kind', 'draft')
    expect(output).toContain(`${file} is there already`)
    expect(exitCode).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe('// mine\n')
    expect(strategies()).toEqual(before)
  })

  test('a file to try that is none is named', async () => {
    const run = (file: string) => checkout.run(MAIN, 'backtest', '--log', 'strategies', '--strategy', file)
    writeFileSync(join(checkout.root, 'odd.ts'), 'export const odd = 1\n')
    expect(await run('nowhere.ts')).toMatchObject({ exitCode: 2, output: expect.stringContaining('nowhere.ts: there is no such file') })
    expect(await run('odd.ts')).toMatchObject({ exitCode: 2, output: expect.stringContaining('odd.ts: it has no default export') })
  })
})
