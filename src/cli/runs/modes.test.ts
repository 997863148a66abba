import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { modes } from './modes.ts'

const folder = mkdtempSync(join(tmpdir(), 'run-modes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['open', 'Nothing was opened'],
  ['close', 'Nothing was closed'],
] as const)('a word that cannot be written is not said: %s', async (command, says) => {
  // The file that is written before it takes the place of the other.
  mkdirSync(join(folder, `control.json.${process.pid}`), { recursive: true })
  await expect(modes(command, 'up_down', { dataDir: folder })).rejects.toMatchObject({
    code: 'CONTROL_NOT_WRITTEN',
    message: expect.stringContaining(says),
  })
  expect(existsSync(join(folder, 'control.json'))).toBe(false)
})
