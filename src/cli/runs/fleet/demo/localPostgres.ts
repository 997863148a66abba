import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../../../../core/error.ts'
import { FleetConnection } from '../../../../live/fleet/index.ts'

/** PostgreSQL does not run as root: where this does, its servant of that name is taken, who comes with Debian's package. */
const SERVANT = 'postgres'
const LOOK_EVERY_MS = 100
const MOST_WORDS = 2000

interface Servant {
  readonly uid?: number
  readonly gid?: number
}

/** A server of PostgreSQL for as long as a demo lasts, in a folder of its own, which goes with it. */
export interface LocalPostgres {
  readonly url: string
  close(): Promise<void>
}

/** @throws CornermanError `FLEET_PROGRAMS` where PostgreSQL is not installed, or may not be started */
export async function startPostgres(): Promise<LocalPostgres> {
  const programs = folderOf('initdb', 'postgres')
  if (programs === undefined)
    throw needs(
      'PostgreSQL is not installed here: apt-get install postgresql, or brew install postgresql, or name an empty database with --database',
    )
  const servant = servantOf()
  const folder = mkdtempSync(join(servant.uid === undefined ? tmpdir() : '/tmp', 'cornerman-fleet-demo-'))
  if (servant.uid !== undefined && servant.gid !== undefined) chownSync(folder, servant.uid, servant.gid)
  const data = join(folder, 'data')
  const as = { ...servant, cwd: '/' }
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'fleet', '-A', 'trust', '-E', 'UTF8', '--locale=C'], { ...as, stdio: 'pipe' })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'shared_buffers=32MB'].flatMap((one) => ['-c', one])
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), '-k', folder, ...settings], {
    ...as,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const url = `postgres://fleet@127.0.0.1:${port}/postgres`
  const close = async () => {
    await ended(server)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilAnswers(server, url)
  } catch (thrown) {
    await close()
    throw thrown
  }
  return { url, close }
}

/** Where PostgreSQL's programs are, which Debian keeps off the path; undefined where one of these is missing. */
export const folderOf = (...programs: readonly string[]): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()].find((folder) =>
    programs.every((program) => existsSync(join(folder, program))),
  )

function servantOf(): Servant {
  if (process.getuid?.() !== 0) return {}
  try {
    const idOf = (which: '-u' | '-g') => Number(execFileSync('id', [which, SERVANT], { encoding: 'utf8', stdio: 'pipe' }))
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    throw needs(
      `PostgreSQL does not run as root, and there is no user ${SERVANT} to run it as: run this as another user, or name a database with --database`,
    )
  }
}

async function untilAnswers(server: ChildProcess, url: string): Promise<void> {
  let words = ''
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-MOST_WORDS)
  })
  for (;;) {
    if (server.exitCode !== null) throw needs(`PostgreSQL does not start: ${words.trim()}`)
    const connection = new FleetConnection({ url })
    const answers = await connection.ask('SELECT 1').then(
      () => true,
      () => false,
    )
    connection.close()
    if (answers) return
    await sleep(LOOK_EVERY_MS)
  }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = once(server, 'exit')
  server.kill('SIGQUIT')
  await exited
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const needs = (what: string): CornermanError => new CornermanError('FLEET_PROGRAMS', `fleet demo: ${what}`)
