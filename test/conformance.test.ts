import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { conformance, RULES } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import { loadStrategy } from '../src/cli/loadStrategy.ts'
import { SCENARIOS } from '../src/testing/conformance/world/scenarios.ts'
import { casesOf } from './support/suite/cases.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'strategies')
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))

describe('the strategies of the project', () => {
  const tried = casesOf(files, (file) => file === 'momentum.ts' || file === 'crossover.ts')
  test.each(tried)('%s keeps the contract, with a seed of which its own test knows nothing', async (file) => {
    const strategy = (await loadStrategy(join(FOLDER, file)))()
    const report = await conformance(strategy, { seeds: [20_250_721] })
    report.assert()
    expect(report.calls).toBeGreaterThan(20)
    expect(report.contests).toBeGreaterThan(10)
  })

  test.each(files)('%s has a test beside it that says so in a line', (file) => {
    expect(readFileSync(join(FOLDER, file.replace('.ts', '.test.ts')), 'utf8')).toMatch(/expectConformance\(\w+\(.*\)\)/)
  })
})

test('docs/conformance.md explains every rule and every scenario, and no other', () => {
  const rows = [...readFileSync(join(ROOT, 'docs/conformance.md'), 'utf8').matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
  const said = rows.filter((name) => name !== undefined && (name in RULES || SCENARIOS.some((scenario) => scenario.name === name)))
  expect(said.toSorted()).toEqual([...Object.keys(RULES), ...SCENARIOS.map(({ name }) => name)].toSorted())
})
