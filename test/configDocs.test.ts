import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { usdc } from '../src/core/usdc.ts'
import { strategyTimeoutMs } from '../src/pipeline/index.ts'
import { type ConfigField, configFields } from './support/docs/configFields.ts'

// docs/guide/configuration.md has every field of the config with its default, and no other.

interface Stated {
  readonly path: string
  readonly byDefault: string
}

/** The rows of a page's tables of fields: `.b` after `a.x` is `a.b`, and one default may stand for all fields of a row. */
function statedIn(page: string): readonly Stated[] {
  const rows = page.split('\n').filter((line) => /^\| `[\w.[\]()]+`/.test(line))
  return rows.flatMap((row) => {
    const [names = '', , defaults = ''] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const [first = '', ...others] = [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    const prefix = first.slice(0, Math.max(0, first.lastIndexOf('.')))
    const paths = [first, ...others.map((name) => (name.startsWith('.') ? `${prefix}${name}` : name))]
    const each = defaults.split(/(?:^|\s*), /)
    return paths.map((path, index) => ({ path, byDefault: (each.length === paths.length ? each[index] : defaults) ?? '' }))
  })
}

/** Whether a cell says this default: `none`, `all`, `25 USDC`, `5,000,000`, or a value in backticks. */
function says(cell: string, { isOptional, byDefault, choices }: ConfigField): boolean {
  if (byDefault === undefined) return cell === (isOptional ? 'none' : '')
  if (choices !== undefined && Array.isArray(byDefault) && byDefault.length === choices.length) return cell === 'all'
  if (typeof byDefault === 'object') return cell === 'none' && Object.keys(byDefault ?? {}).length === 0
  const [, amount] = /^([\d,.]+) USDC$/.exec(cell) ?? []
  if (typeof byDefault === 'bigint') return byDefault === (amount === undefined ? BigInt(plain(cell)) : usdc(plain(amount)))
  return typeof byDefault === 'number' ? plain(cell) === String(byDefault) : cell === `\`${String(byDefault)}\``
}

const plain = (figure: string): string => figure.replaceAll(',', '')

/** Fields whose default is not the schema's, and what it is. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'bots[].guard.tokens': 'the known tokens',
  'bots[].guard.dailyStaked': "the smaller of 100 times `dailyLoss` and twice the bankroll at the day's start",
  'bots[].guard.entriesPerMinute': 'ten times `maxOpenContests`, at least 30',
  'market.swapUrl': 'that of `market.dex`',
  'fleet.database': '`FLEET_DATABASE_URL` of the environment',
  'fleet.key': '`CORNERMAN_FLEET_KEY` of the environment',
  'bots[].strategyTimeoutMs': strategyTimeoutMs({}).toLocaleString('en-US'),
}
/** Objects and unions that have a row for what they are, beside the rows of their fields. */
const WITH_A_ROW = ['service']

const stated = statedIn(readFileSync(new URL('../docs/guide/configuration.md', import.meta.url), 'utf8'))
const fields = configFields()
const cellOf = (path: string): string | undefined => stated.find((each) => each.path === path)?.byDefault

describe('docs/guide/configuration.md', () => {
  test('has every field of the config', () => {
    expect(fields.length).toBeGreaterThan(60)
    expect(fields.map(({ path }) => path).filter((path) => cellOf(path) === undefined)).toEqual([])
  })

  test('states the default of each', () => {
    const wrong = fields.filter((field) => {
      const cell = cellOf(field.path) ?? ''
      const elsewhere = ELSEWHERE[field.path]
      return elsewhere === undefined ? !says(cell, field) : cell !== elsewhere
    })
    expect(wrong.map(({ path, byDefault }) => [path, cellOf(path), byDefault])).toEqual([])
  })

  test('has no field that the config has not, and none twice', () => {
    const paths = stated.map(({ path }) => path)
    const known = new Set([...fields.map(({ path }) => path), ...WITH_A_ROW])
    expect(paths.filter((path) => !known.has(path))).toEqual([])
    expect(paths.filter((path, place) => paths.indexOf(path) < place)).toEqual([])
  })
})

describe('a row', () => {
  test.each([
    [
      '| `a.x`, `.y` | m | 1, 2 |',
      [
        ['a.x', '1'],
        ['a.y', '2'],
      ],
    ],
    [
      '| `a[].x`, `.y` | m | none |',
      [
        ['a[].x', 'none'],
        ['a[].y', 'none'],
      ],
    ],
    [
      '| `a.x`, `.y` | m | , `false` |',
      [
        ['a.x', ''],
        ['a.y', '`false`'],
      ],
    ],
    [
      '| `a().x`, `b().x` | m | 1,000, 2,000 |',
      [
        ['a().x', '1,000'],
        ['b().x', '2,000'],
      ],
    ],
    ['| `a` | m | |', [['a', '']]],
  ] as const)('%s', (row, expected) => {
    expect(statedIn(row).map(({ path, byDefault }) => [path, byDefault])).toEqual(expected)
  })
})
