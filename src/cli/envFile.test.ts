import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadEnvFile } from './envFile.ts'

const folder = mkdtempSync(join(tmpdir(), 'cornerman-env-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, '.env')

const TEXT = '# keys\nALICE_AGENT_KEY=ck_1\nB="two words"\nPLACE=Zürich\n'
const WINDOWS = TEXT.replaceAll('\n', '\r\n')
const VALUES = { ALICE_AGENT_KEY: 'ck_1', B: 'two words', PLACE: 'Zürich' }
const utf16le = (text: string) => Buffer.from(text, 'utf16le')
const read = (bytes: Buffer, env: NodeJS.ProcessEnv = {}) => {
  writeFileSync(file, bytes)
  loadEnvFile(file, env)
  return env
}

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT.slice(7)}`)],
  ['UTF-8 of Windows', Buffer.from(`\ufeff${WINDOWS.slice(8)}`)],
  ['UTF-16, lower byte first', utf16le(`\ufeff${WINDOWS.slice(8)}`)],
  ['UTF-16, higher byte first', utf16le(`\ufeff${TEXT.slice(7)}`).swap16()],
])('a file of %s has the names and values that it shows', (_what, bytes) => {
  expect(read(bytes)).toEqual(VALUES)
})

test('the environment goes before the file, though it be empty there', () => {
  expect(read(Buffer.from(TEXT), { B: '', PLACE: 'here' })).toEqual({ ...VALUES, B: '', PLACE: 'here' })
})

test.each([
  ['UTF-16 without a mark', utf16le(TEXT.slice(7))],
  ['UTF-16 without a mark, higher byte first', utf16le(TEXT.slice(7)).swap16()],
  ['bytes of another encoding', Buffer.from('PLACE=Z\xfcrich\n', 'latin1')],
  ['no text', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1])],
])('%s is refused: it says what to do, and no value', (_what, bytes) => {
  expect(() => read(bytes)).toThrow(
    expect.objectContaining({ code: 'ENV_FILE', message: expect.stringMatching(/\.env is neither .*: save it as UTF-8$/) as string }),
  )
  expect(() => read(bytes)).toThrow(/^((?!ck_1|rich).)*$/s)
})

test('a folder of that name is said so', () => {
  const place = join(folder, 'folder')
  mkdirSync(place)
  expect(() => loadEnvFile(place, {})).toThrow(
    expect.objectContaining({ code: 'ENV_FILE', message: expect.stringContaining('EISDIR') as string }),
  )
})
