import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { ROOT } from '../../root.ts'

/** Only a clone has it: it makes the package as a folder. */
const STAGE = join(ROOT, 'packaging/stage.ts')

/**
 * Packs this framework as npm does.
 *
 * @param folder where the tarball goes: it is empty
 * @returns the tarball's name
 * @throws CornermanError `INIT_FAILED` with what npm or the compiler said
 */
export async function pack(folder: string): Promise<string> {
  const stage = mkdtempSync(join(tmpdir(), 'cornerman-pack-'))
  try {
    if (existsSync(STAGE)) await run(process.execPath, [STAGE, stage])
    await npm('pack', existsSync(STAGE) ? stage : ROOT, '--silent', '--pack-destination', folder)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  if (tarball === undefined)
    throw new CornermanError('INIT_FAILED', `npm pack left no tarball in ${folder}: run npm pack in ${ROOT} to see why`)
  return tarball
}

/** The npm that runs this, where one does. */
async function npm(...args: readonly string[]): Promise<void> {
  const { npm_execpath: running } = process.env
  if (running !== undefined) await run(process.execPath, [running, ...args])
  else await run('npm', args)
}

async function run(program: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args, { cwd: ROOT, maxBuffer: 1e8, shell: program === 'npm' && process.platform === 'win32' })
  } catch (thrown) {
    const { stdout = '', stderr = '' } = thrown as { readonly stdout?: string; readonly stderr?: string }
    const said = `${stdout}${stderr}`.trim().split('\n').slice(-8).join('\n')
    throw new CornermanError(
      'INIT_FAILED',
      `the framework could not be packed: ${said === '' ? messageOf(thrown) : said}: run npm install in ${ROOT}, without --omit=dev, and try again`,
      { cause: thrown },
    )
  }
}
