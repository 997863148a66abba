import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writesForOthers } from './privacy.ts'
import { cornermanProgram } from './program.ts'

const umask = process.umask()
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'privacy-'))
  process.umask(0)
})
afterEach(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(process.platform === 'win32')(
  'a file of a new command is its owner’s alone, unless the command declares it for others',
  async () => {
    const program = cornermanProgram()
    const writes = (name: string) => program.command(name).action(() => writeFileSync(join(folder, name), ''))
    writesForOthers(writes('declared'))
    writes('silent')
    const modeAfter = async (name: string) => {
      await program.parseAsync([name], { from: 'user' })
      return (statSync(join(folder, name)).mode & 0o777).toString(8)
    }
    expect(await modeAfter('declared')).toBe('666')
    expect(await modeAfter('silent')).toBe('600')
  },
)
