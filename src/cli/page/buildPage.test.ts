import { beforeAll, describe, expect, test } from 'vitest'
import { buildPage } from './buildPage.ts'

let page: ReadonlyMap<string, string>
beforeAll(async () => {
  page = await buildPage()
})

const html = () => page.get('/') ?? ''
const scripts = () => [...page].filter(([path]) => path.endsWith('.js'))

describe('the page', () => {
  test('asks for nothing that is not in it', () => {
    const asked = [...html().matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, path]) => path ?? '')
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.filter((path) => !page.has(path))).toEqual([])
  })

  test('has modules that import modules of it alone, by address', () => {
    let imports = 0
    for (const [path, code] of scripts()) {
      for (const [, specifier = ''] of code.matchAll(/^(?:import|export)\b[^'"]*from\s*["']([^"']+)["']/gm)) {
        const address = new URL(specifier, `http://page${path}`).pathname
        expect([specifier, page.has(address)], path).toEqual([specifier, true])
        imports += 1
      }
    }
    expect(imports).toBeGreaterThan(60)
  })

  test('holds no types, no JSX and no test', () => {
    const ours = scripts().filter(([path]) => !path.includes('/packages/'))
    expect(ours.length).toBeGreaterThan(40)
    for (const [path, code] of ours) {
      expect(path).not.toContain('.test.')
      expect(code).not.toMatch(/\bimport type\b|\binterface \w+ \{|\breadonly \w+:/)
      expect(code).not.toMatch(/return \(?\s*<[A-Za-z]/)
    }
  })

  test('has all its style in one sheet', () => {
    const [sheet = ''] = [...page].filter(([path]) => path.endsWith('.css')).map(([, css]) => css)
    expect(sheet).not.toContain('@import')
    // Of uPlot, of the tokens and of the last sheet that is imported.
    for (const part of ['.u-legend', '--rule', '.chart']) expect(sheet).toContain(part)
  })

  test('has the same addresses when it is made once more', async () => {
    expect([...(await buildPage()).keys()]).toEqual([...page.keys()])
    expect([...page.keys()].filter((path) => path !== '/' && !/^\/assets\/[0-9a-f]{16}\//.test(path))).toEqual([])
  })
})
