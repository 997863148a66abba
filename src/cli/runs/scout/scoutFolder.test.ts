import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { takeScoutFolder } from './scoutFolder.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'scouted-'))

async function refusalOf(dataDir: string, service: string): Promise<{ code?: string; message?: string }> {
  return await takeScoutFolder(dataDir, service).then(
    () => ({}),
    (thrown: { code: string; message: string }) => thrown,
  )
}

describe('the folder of a scout', () => {
  test('is made, says what is recorded in it, and is one scout’s at a time', async () => {
    const dataDir = newFolder()
    const taken = await takeScoutFolder(dataDir, 'sandbox')
    expect(taken.path).toBe(join(dataDir, 'recordings', 'scout'))
    expect(JSON.parse(readFileSync(join(taken.path, 'scout.json'), 'utf8'))).toEqual({ version: 1, service: 'sandbox' })
    const { code, message } = await refusalOf(dataDir, 'sandbox')
    expect(code).toBe('SCOUT_BUSY')
    expect(message).toContain(`is being recorded by process ${process.pid}`)
    await taken.release()
    await (await takeScoutFolder(dataDir, 'sandbox')).release()
  })

  test('of another service is refused, and let go of', async () => {
    const dataDir = newFolder()
    await (await takeScoutFolder(dataDir, 'https://one.example')).release()
    for (let round = 0; round < 2; round++) {
      const { code, message } = await refusalOf(dataDir, 'https://other.example')
      expect(code).toBe('SCOUT_OF_ANOTHER')
      expect(message).toContain('was recorded of https://one.example, and the config plays on https://other.example')
    }
  })

  test.each([
    ['a recording of which nothing says who made it', '20260101T000000Z-abc-000001.ndjson', ''],
    ['a note that cannot be read', 'scout.json', '{"service":'],
  ])('that has %s is refused, and left as it is', async (_name, file, content) => {
    const dataDir = newFolder()
    const folder = join(dataDir, 'recordings', 'scout')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, file), content)
    expect((await refusalOf(dataDir, 'sandbox')).code).toBe('SCOUT_OF_ANOTHER')
    expect(readFileSync(join(folder, file), 'utf8')).toBe(content)
    expect(existsSync(join(folder, 'scout.json.new'))).toBe(false)
  })

  test('that cannot be made is said to be so', async () => {
    const dataDir = newFolder()
    writeFileSync(join(dataDir, 'recordings'), 'a file')
    expect((await refusalOf(dataDir, 'sandbox')).code).toBe('RECORDING_WRITE_FAILED')
  })
})
