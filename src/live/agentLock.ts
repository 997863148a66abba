import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { CornermanError, messageOf } from '../core/error.ts'
import { isBusy } from './journal/journalError.ts'

// One process of a machine plays an agent, whatever data directories are used: two would each reveal, swap and stake by books of
// their own. The system lets go of the lock when the process ends, however it ends, so none is ever stale.

/** The holder says who it is to whoever asks; one that does not answer is not waited for. */
const LONGEST_ANSWER_MS = 500
const LONGEST_WORDS = 400

export interface LockedAgent {
  /** The service's address, by any of its names. */
  readonly url: string
  /** The agent's id; undefined where the service says none. */
  readonly agent: string | undefined
  /** The agent's key, which leaves nothing but its hash; undefined of what has none. */
  readonly key?: string | undefined
  /** The holder in words, for whoever comes second. */
  readonly holder: string
}

export interface AgentLock {
  release(): Promise<void>
}

/**
 * Takes the lock of an agent for this process, under each of its names.
 *
 * @throws CornermanError `AGENT_IN_USE`; `AGENT_LOCK_FAILED` where the system gives no lock
 */
export async function lockAgent(locked: LockedAgent, platform: string = process.platform): Promise<AgentLock> {
  const held: AgentLock[] = []
  const release = async () => {
    for (const lock of held.splice(0)) await lock.release()
  }
  try {
    for (const name of namesOf(locked)) held.push(await hold(name, locked.holder, platform))
  } catch (thrown) {
    await release()
    throw thrown
  }
  return { release }
}

/**
 * A service has many addresses, and an agent one key: that is its name at all of them. A key may be issued anew: then it is the id, which counts
 * for one service, or for all where it is a UUID. Sandboxes of one machine give their agents the same UUIDs.
 */
function namesOf({ url, agent, key }: LockedAgent): readonly string[] {
  const origin = originOf(url)
  const isGlobal = agent !== undefined && UUID.test(agent) && !isLoopback(url)
  return [`${origin} ${agent ?? key ?? ''}`, ...(key === undefined ? [] : [`key ${key}`]), ...(isGlobal ? [`agent ${agent}`] : [])]
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function hold(identity: string, holder: string, platform: string): Promise<AgentLock> {
  const name = `cornerman-${createHash('sha256').update(identity).digest('hex').slice(0, 32)}`
  // Sockets of this name space are no files: no cleaner takes them away, and no environment moves them.
  if (platform === 'linux') return await listenAt(`\0${name}`, holder)
  if (platform === 'win32') return await listenAt(`\\\\.\\pipe\\${name}`, holder)
  return holdFile(name)
}

/** The same service by another name of this machine is the same. */
function originOf(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  const host = isLoopback(url) ? 'loopback' : hostname.replace(/\.$/, '')
  return `${protocol}//${host}:${port}`
}

const isLoopback = (url: string): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])\.?$/.test(new URL(url).hostname)

async function listenAt(path: string, holder: string): Promise<AgentLock> {
  const server = createServer((socket) => {
    // One that asks and goes is no concern of the bots.
    socket.on('error', () => {})
    socket.end(holder)
  })
  // A bot that has ended must not be kept alive by it.
  server.unref()
  server.listen({ path, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw unlockable(cause)
    throw inUse(await holderAt(path))
  }
  return { release: () => closed(server) }
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))

/** What the holder says of itself; undefined where it says nothing. */
async function holderAt(path: string): Promise<string | undefined> {
  const socket = createConnection({ path })
  const timer = setTimeout(() => socket.destroy(), LONGEST_ANSWER_MS)
  try {
    // Whatever listens there: no control characters on a terminal, and no more than a line.
    return (await text(socket)).replace(/[^\x20-\x7e]/g, ' ').slice(0, LONGEST_WORDS) || undefined
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** Where there is no such name space: a database that is held, in a folder of the user's. */
function holdFile(name: string): AgentLock {
  const folder = join(tmpdir(), `cornerman-${userInfo().uid}`)
  let db: DatabaseSync | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    db = new DatabaseSync(join(folder, `${name}.lock`), { timeout: 0 })
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT')
  } catch (cause) {
    db?.close()
    throw isBusy(cause) ? inUse(undefined) : unlockable(cause)
  }
  const held = db
  return {
    release: () => {
      if (held.isOpen) held.close()
      return Promise.resolve()
    },
  }
}

const inUse = (holder: string | undefined): CornermanError =>
  new CornermanError(
    'AGENT_IN_USE',
    `the agent is played by ${holder ?? 'another process of this machine'} already: stop that one, or give this bot an agent of its own`,
  )

const unlockable = (cause: unknown): CornermanError =>
  new CornermanError(
    'AGENT_LOCK_FAILED',
    `no lock can be had for the agent (${messageOf(cause)}): see that this user may open local sockets, or files in ${tmpdir()}`,
    { cause },
  )
