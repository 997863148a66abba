import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { journalFile } from '../../journals.ts'
import { adoptedFile, copyFile } from '../fleet/journalFiles.ts'
import { expectJournals } from './expectJournals.ts'

function folderWith(...files: readonly ((dataDir: string, bot: string) => string)[]): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'journals-'))
  for (const name of files) {
    const file = name(dataDir, 'alice')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  return dataDir
}

const starting = (dataDir: string, isInFleet: boolean) => () => expectJournals({ dataDir, bots: ['bob', 'alice'], isInFleet })

test('a bot goes on alone as it has played alone, and in a fleet as it has played there', () => {
  for (const isInFleet of [true, false]) expect(starting(folderWith(), isInFleet)).not.toThrow()
  expect(starting(folderWith(journalFile), false)).not.toThrow()
  expect(starting(folderWith(copyFile), true)).not.toThrow()
  expect(starting(folderWith(copyFile, adoptedFile), true)).not.toThrow()
})

test('in a fleet it does not begin anew while its journal lies beside it', () => {
  const dataDir = folderWith(journalFile)
  expect(starting(dataDir, true)).toThrowError(
    expect.objectContaining({ code: 'FLEET_NOT_ADOPTED', message: expect.stringContaining(dataDir) }),
  )
  renameSync(journalFile(dataDir, 'alice'), adoptedFile(dataDir, 'alice'))
  expect(starting(dataDir, true)).not.toThrow()
})

test.each([
  ['adopted', adoptedFile],
  ['followed', copyFile],
])('alone it does not play an agent a second time whose journal was %s', (_what, name) => {
  const dataDir = folderWith(name)
  expect(starting(dataDir, false)).toThrowError(
    expect.objectContaining({ code: 'BOT_IN_FLEET', details: { bot: 'alice', file: name(dataDir, 'alice') } }),
  )
})
