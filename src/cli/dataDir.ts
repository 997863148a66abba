import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { messageOf } from '../core/error.ts'

// The folder that a run keeps its data in, which nobody but its owner reads.

/** Permission bits of everybody but the owner. */
const OTHERS = 0o077
/** Set on folders that many write to, such as /tmp. */
const STICKY = 0o1000
/** The names of what the commands write into a data directory. */
const OURS =
  /^(?:bots|recordings|probes|trials|optimize|fleet|control\.json.*|start\.\d+\.run\.json.*|sandbox\.db.*|sandbox\.run\.json|dashboard\.(?:url|token))$/
const IGNORE = '.gitignore'
/** Windows knows no such bits: what others may read there is a matter of access control lists. */
export const hasModes = process.platform !== 'win32'

export interface Tightening {
  /** How many folders and files others could read until now. */
  readonly tightened: number
  /** Why some still can be read; undefined where none can. */
  readonly failure: string | undefined
}

/**
 * Makes the folder where it is missing, and keeps it out of a repository.
 *
 * @throws the system's error where it cannot be made
 */
export function makeDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!isShared(dataDir)) ignoreInRepositories(dataDir)
}

/**
 * Shuts everybody but its owner out of a data directory and of all that is in it. A folder that holds more than data
 * (`--data-dir .`) stays as it is, apart from the data.
 */
export function tightenDataDir(dataDir: string): Tightening {
  let tightened = 0
  let failure: string | undefined
  for (const { path, mode } of exposedIn(dataDir)) {
    try {
      chmodSync(path, mode & ~OTHERS)
      // Some file systems take it without doing it.
      if ((lstatSync(path).mode & OTHERS) === 0) tightened += 1
      else failure ??= `${path}: its file system keeps no permissions`
    } catch (thrown) {
      if (!isGone(thrown)) failure ??= messageOf(thrown)
    }
  }
  return { tightened, failure }
}

export interface Exposed {
  readonly path: string
  /** Its permission bits. */
  readonly mode: number
}

/** The folders and files of a data directory that others than their owner can reach, outermost first; empty on Windows. */
export function exposedIn(dataDir: string): Exposed[] {
  if (!hasModes) return []
  // What a link leads to is the folder, also where it is the data directory itself.
  const root = realpathSync(dataDir)
  if (!isShared(root)) return exposedAt(root)
  return readdirSync(root)
    .filter((name) => OURS.test(name))
    .flatMap((name) => exposedAt(join(root, name)))
}

function exposedAt(path: string): Exposed[] {
  let stats: Stats
  let names: string[] = []
  try {
    stats = lstatSync(path)
    if (stats.isDirectory()) names = readdirSync(path)
  } catch (thrown) {
    // A run beside this one may have taken it away; what cannot be listed is not for this user.
    if (isGone(thrown) || (thrown as NodeJS.ErrnoException).code === 'EACCES') return []
    throw thrown
  }
  if (!stats.isDirectory() && !stats.isFile()) return []
  const mode = stats.mode & 0o7777
  const own = (mode & OTHERS) === 0 ? [] : [{ path, mode }]
  return [...own, ...names.flatMap((name) => exposedAt(join(path, name)))]
}

/** True of a folder that is there for more than a run's data: to shut others out of it, or to have it ignored, would do harm. */
function isShared(dataDir: string): boolean {
  const folder = realpathSync(dataDir)
  const holds = (other: string) => resolve(other) === folder || resolve(other).startsWith(folder.endsWith(sep) ? folder : folder + sep)
  return holds(process.cwd()) || holds(homedir()) || (statSync(folder).mode & STICKY) !== 0
}

/** A repository that the folder lies in leaves it out, itself included, however it is called. */
function ignoreInRepositories(dataDir: string): void {
  try {
    writeFileSync(join(dataDir, IGNORE), '# Journals, keys and recordings: not for a repository.\n*\n', { flag: 'wx', mode: 0o600 })
  } catch {
    // It is there already; a disk that takes no file says so with the first that matters.
  }
}

const isGone = (thrown: unknown): boolean => (thrown as NodeJS.ErrnoException).code === 'ENOENT'
