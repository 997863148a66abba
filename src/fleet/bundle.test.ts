import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleOf, type Import, layBundle, packageFolder, packed, pathIn } from './bundle.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bundle-')))
const FRAMEWORK = resolve(import.meta.dirname, '../..')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (path: string) => join(folder, path)
function write(path: string, source: string): string {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), source)
  return at(path)
}

/** What the loader would say of these files. */
const importing =
  (imports: Readonly<Record<string, readonly Import[]>>) =>
  (file: string): readonly Import[] =>
    imports[pathIn(folder, file)] ?? []

beforeAll(() => {
  write('bots.config.ts', "import a from './strategies/a.ts'\n")
  write('strategies/a.ts', "import { b } from '../lib/b.ts'\nimport 'cornerman'\n")
  write('lib/b.ts', 'export const b = 1\n')
})

const relative = (specifier: string, path: string): Import => ({ specifier, leadsTo: at(path) })
const whole = {
  'bots.config.ts': [relative('./strategies/a.ts', 'strategies/a.ts')],
  'strategies/a.ts': [
    relative('../lib/b.ts', 'lib/b.ts'),
    { specifier: 'cornerman', leadsTo: '/anywhere/src/index.ts' },
    { specifier: 'node:path', leadsTo: 'node:path' },
    { specifier: 'rxjs/operators', leadsTo: '/anywhere/rxjs' },
  ],
}

describe('a bundle', () => {
  test('has what its files import by relative paths, and no more', () => {
    write('other.ts', 'export {}\n')
    const { root, files } = bundleOf([at('bots.config.ts'), at('strategies/a.ts')], importing(whole))
    expect(root).toBe(folder)
    expect(files).toEqual({
      'bots.config.ts': "import a from './strategies/a.ts'\n",
      'lib/b.ts': 'export const b = 1\n',
      'strategies/a.ts': "import { b } from '../lib/b.ts'\nimport 'cornerman'\n",
    })
  })

  test.each([
    ['a package', { specifier: 'lodash', leadsTo: '/anywhere/lodash' }],
    ['a module that reads the disk', { specifier: 'node:fs', leadsTo: 'node:fs' }],
    ['an address', { specifier: '/etc/passwd.js', leadsTo: '/etc/passwd.js' }],
    ['a package with the name of one of ours in front', { specifier: 'zodiac', leadsTo: '/anywhere/zodiac' }],
  ])('is refused with %s', (_name, found) => {
    expect(() => bundleOf([at('lib/b.ts')], importing({ 'lib/b.ts': [found] }))).toThrowError(
      expect.objectContaining({ code: 'BUNDLE_IMPORT', message: expect.stringContaining(found.specifier) }),
    )
  })

  test('is refused where something is imported while it runs', () => {
    const file = write('late.ts', "export const late = () => import('./lib/b.ts')\n")
    expect(() => bundleOf([file], importing({}))).toThrowError(expect.objectContaining({ code: 'BUNDLE_IMPORT' }))
  })

  test('is laid beside the framework, and mended where somebody changed it', () => {
    const bundle = bundleOf([at('bots.config.ts')], importing(whole))
    for (const _ of ['first', 'again']) {
      layBundle(packed(bundle), at('laid'), FRAMEWORK)
      expect(readFileSync(at('laid/lib/b.ts'), 'utf8')).toBe('export const b = 1\n')
      expect(realpathSync(at('laid/node_modules/cornerman'))).toBe(realpathSync(FRAMEWORK))
      expect(realpathSync(at('laid/node_modules/zod'))).toBe(realpathSync(packageFolder(FRAMEWORK, 'zod') ?? ''))
      writeFileSync(at('laid/lib/b.ts'), 'export const b = 2\n')
    }
  })

  test('writes nothing outside of its folder', () => {
    const bytes = zstdCompressSync(JSON.stringify({ '../outside.ts': 'export {}\n' }))
    expect(() => layBundle(bytes, at('laid'), FRAMEWORK)).toThrowError(expect.objectContaining({ code: 'BUNDLE_IMPORT' }))
    expect(existsSync(at('outside.ts'))).toBe(false)
  })
})
