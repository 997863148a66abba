import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** PostgreSQL does not run as root, and neither does what stands before it. */
const SERVANT = 'postgres'

const idOf = (which: '-u' | '-g'): number => Number(execFileSync('id', [which, SERVANT], { encoding: 'utf8' }))

/** The folder of the tests is for their user alone. */
export function servantsFolder(): string {
  const isRoot = process.getuid?.() === 0
  const folder = mkdtempSync(join(isRoot ? '/tmp' : tmpdir(), 'cornerman-cluster-'))
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  return folder
}

export function runAsServant(program: string, args: readonly string[]): void {
  const [command = '', ...rest] = asServant(program, args)
  execFileSync(command, rest, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
}

/** As somebody who is not root, and ended with this process. */
export function asServant(program: string, args: readonly string[]): string[] {
  if (process.platform !== 'linux') return [program, ...args]
  const servant = process.getuid?.() === 0 ? [`--reuid=${SERVANT}`, `--regid=${SERVANT}`, '--init-groups'] : []
  return ['setpriv', ...servant, '--pdeathsig=QUIT', program, ...args]
}
