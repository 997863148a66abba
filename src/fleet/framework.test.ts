import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Manifest, manifestOf } from '../../packaging/manifest.ts'
import { frameworkOf, hashOfSources, packagesOf } from './framework.ts'

const ROOT = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'framework-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('another source is another framework, and another test is not', () => {
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  mkdirSync(join(folder, 'deep'))
  write('deep/one.ts', 'export const one = 1\n')
  const before = hashOfSources(folder)
  write('deep/one.test.ts', 'test\n')
  expect(hashOfSources(folder)).toBe(before)
  write('deep/one.ts', 'export const one = 2\n')
  expect(hashOfSources(folder)).not.toBe(before)
})

test('a clone and the package that is made of it run with the same packages', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest
  expect(packagesOf(manifestOf(manifest))).toEqual(packagesOf(manifest))
  expect(packagesOf(manifest)).toContain('zod')
  expect(frameworkOf(ROOT)).toMatch(/^[0-9a-f]{64}$/)
})
