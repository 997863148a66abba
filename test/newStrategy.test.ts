import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newStrategy, nextSteps, TEMPLATES, type TemplateKind } from '../src/cli/runs/newStrategy.ts'

// That what it writes runs, is in newStrategy.system.test.ts; that the templates do, is in the tests beside them.

const KINDS = Object.keys(TEMPLATES) as TemplateKind[]
const LONGEST = 'a'.repeat(40)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cornerman-new-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('new-strategy', () => {
  test.each(KINDS)('writes a strategy of the kind %s and its test, in which the template is not named any more', (kind) => {
    const made = newStrategy('my-edge', kind, folder)
    expect(readdirSync(folder).toSorted()).toEqual(['my-edge.test.ts', 'my-edge.ts'])
    const [strategy, itsTest] = ['my-edge.ts', 'my-edge.test.ts'].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(strategy).toContain("name: 'my-edge',")
    expect(itsTest).toContain("import myEdge from './my-edge.ts'")
    expect(itsTest).toMatch(/expectConformance\(myEdge\(.*\)\)/)
    expect(`${strategy}${itsTest}`).not.toMatch(/template/i)
    expect(nextSteps(made).join('\n')).toContain("import myEdge from '")
  })

  test.each<readonly [what: string, name: string, says: RegExp]>([
    ['an ending', 'mine.ts', /Leave out the \.ts/],
    ['a path', '../mine', /not a name for a strategy/],
    ['an underscore', 'my_own', /not a name for a strategy/],
    ['nothing', '', /not a name for a strategy/],
    ['too much', `a${LONGEST}`, /up to 40/],
    ['a device', 'con', /Windows/],
  ])('refuses a name with %s', (_, name, says) => {
    expect(() => newStrategy(name, 'trade', folder)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(() => newStrategy(name, 'trade', folder)).toThrow(says)
  })
})
