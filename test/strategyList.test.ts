import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { formatStrategies } from '../src/cli/runs/strategies/formatStrategies.ts'
import { strategyList } from '../src/cli/runs/strategies/strategyList.ts'
import { Checkout } from './support/checkout.ts'
import { jsonOf, runCornerman } from './support/runCornerman.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const checkout = new Checkout()
const folder = join(checkout.root, 'strategies/listed')
mkdirSync(folder)
afterAll(() => checkout[Symbol.dispose]())

const write = (name: string, source: string) => writeFileSync(join(folder, name), source)

write(
  'all.ts',
  `import { defineTrader, usdc } from 'cornerman'
import { EMPTY } from 'rxjs'
import { z } from 'zod'
/** A constant of its own. */
const LEAST = 2
/**
 * Does nothing, by e.g.
 * 2 parameters. And says more.
 */
export default defineTrader({
  name: 'all',
  modes: ['pnl_usd', 'best_trade'],
  params: z.object({
    whole: z.number().int().min(LEAST).max(9).default(3).describe('a whole number'),
    share: z.number().positive().optional(),
    amount: z.bigint().min(usdc('0.1')).max(usdc('25')).default(usdc('2.5')).describe('USDC of it'),
    plain: z.bigint().default(usdc('1')),
    lamports: z.bigint().default(5000n).describe('lamports of a fee, not USDC'),
    side: z.enum(['UP', 'DOWN']).default('UP'),
    sides: z.array(z.enum(['UP', 'DOWN'])).default(['UP', 'DOWN']),
    names: z.array(z.string()).default([]),
    stakes: z.array(z.bigint()).default([usdc('1'), usdc('2')]).describe('USDC of them'),
    isBold: z.boolean().default(false),
    token: z.string().min(32).max(44),
  }),
  trade: () => EMPTY,
})
`,
)
write('all.test.ts', 'throw new Error("a test is no strategy")\n')

const listed = async () => (await strategyList(folder)).strategies[0]?.parameters ?? []

describe('strategies', () => {
  test('reads parameters off the schema: type, range, default, description', async () => {
    const amount = { name: 'amount', description: 'USDC of it' }
    const stakes = { name: 'stakes', description: 'USDC of them' }
    expect(await listed()).toEqual([
      { name: 'whole', type: 'integer', min: '2', max: '9', default: 3, isRequired: false, description: 'a whole number' },
      { name: 'share', type: 'number', min: '0', aboveMin: true, isRequired: false },
      { ...amount, type: 'USDC', unit: 'micro-USDC', min: '100000', max: '25000000', default: '2500000', isRequired: false },
      { name: 'plain', type: 'bigint', default: '1000000', isRequired: false },
      { name: 'lamports', type: 'bigint', default: '5000', isRequired: false, description: 'lamports of a fee, not USDC' },
      { name: 'side', type: 'one of', values: ['UP', 'DOWN'], default: 'UP', isRequired: false },
      { name: 'sides', type: 'list of', values: ['UP', 'DOWN'], default: ['UP', 'DOWN'], isRequired: false },
      { name: 'names', type: 'list of', values: ['string'], default: [], isRequired: false },
      { ...stakes, type: 'list of', unit: 'micro-USDC', values: ['bigint'], default: ['1000000', '2000000'], isRequired: false },
      { name: 'isBold', type: 'boolean', default: false, isRequired: false },
      { name: 'token', type: 'string', min: '32', max: '44', isRequired: true },
    ])
  })

  test('says them for a person', async () => {
    const text = formatStrategies(await strategyList(folder)).join('\n')
    for (const part of [
      /^all \(trade\)/m,
      /whole +integer 2 to 9 +3 +a whole number$/m,
      /share +number above 0$/m,
      /amount +USDC 0\.10 to 25\.00 +2\.50 +USDC of it$/m,
      /plain +bigint +1000000$/m,
      /lamports +bigint +5000 +lamports of a fee, not USDC$/m,
      /stakes +list of bigint +\["1\.00","2\.00"\] +USDC of them$/m,
      /sides +list of UP, DOWN +all$/m,
      /token +string +required$/m,
    ])
      expect(text).toMatch(part)
  })

  test('takes the first sentence of the comment at the definition', async () => {
    const { strategies } = await strategyList(folder)
    expect(strategies.map(({ description }) => description)).toEqual(['Does nothing, by e.g. 2 parameters.'])
  })

  test('names what is broken, lists the rest, and exits 1', async () => {
    write('broken.ts', 'export default 1 +\n')
    write('none.ts', 'export const helper = 1\n')
    write('throws.ts', "throw new Error('not today')\n")
    const run = runCornerman(['strategies', '--dir', folder, '--json'])
    expect(await run.exited).toBe(1)
    const { strategies, broken } = jsonOf<Awaited<ReturnType<typeof strategyList>>>(run)
    expect(strategies.map(({ name }) => name)).toEqual(['all'])
    expect(broken.map(({ file }) => file.slice(folder.length + 1))).toEqual(['broken.ts', 'none.ts', 'throws.ts'])
    expect(broken[1]?.error).toContain('no default export')
    expect(broken[2]?.error).toContain('not today')
    expect(formatStrategies({ strategies, broken }).at(-1)).toMatch(/^cannot be read: [^ ]*throws\.ts:1: not today$/)
  })

  test('a folder that is not there exits 2', async () => {
    const run = runCornerman(['strategies', '--dir', 'nowhere'])
    expect(await run.exited).toBe(2)
    expect(run.stderr()).toContain('--dir nowhere: there is no such folder')
    const file = runCornerman(['strategies', '--dir', 'README.md'])
    expect(await file.exited).toBe(2)
    expect(file.stderr()).toContain('--dir README.md: it is a file: name a folder')
  })

  test('lists every strategy of the project, each with a sentence, and each parameter with a default and what it is for', async () => {
    const { strategies, broken } = await strategyList(join(ROOT, 'strategies'))
    const files = readdirSync(join(ROOT, 'strategies')).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    expect(broken).toEqual([])
    expect(strategies.map(({ file }) => file.replace(/.*\//, ''))).toEqual(files.sort())
    for (const { file, name, description, parameters } of strategies) {
      expect(`${name}.ts`).toBe(file.replace(/.*\//, ''))
      expect(description, name).toMatch(/\.$/)
      for (const parameter of parameters) {
        expect(parameter, `${name}.${parameter.name}`).toMatchObject({ isRequired: false, description: expect.stringMatching(/\w{3}/) })
        // An amount that does not say USDC of itself would be shown in micro-USDC.
        expect(parameter.type, `${name}.${parameter.name}`).not.toBe('bigint')
      }
      expect(readFileSync(file, 'utf8').split('\n').length, `${file} is short enough to read`).toBeLessThan(160)
    }
  })
})
