import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CornermanError } from '../../core/error.ts'
import type { IsolationOf } from '../../strategy/isIsolated.ts'
import { isWithin } from '../isWithin.ts'
import { ownModules } from './ownModules.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** `src/`, or `dist/` in the package. */
const SOURCE = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')

/** What Node has to have for a process to be held back. */
const NEEDED = ['--permission', '--allow-fs-read', '--experimental-sqlite']

/**
 * Refuses where the Node in use cannot hold a process back: nothing is weakened quietly.
 *
 * @throws CornermanError `ISOLATION_UNSUPPORTED`
 */
export function expectPermissionModel(known: ReadonlySet<string> = process.allowedNodeEnvironmentFlags): void {
  const missing = NEEDED.filter((flag) => !known.has(flag))
  if (missing.length === 0) return
  throw new CornermanError(
    'ISOLATION_UNSUPPORTED',
    `isolate needs what Node ${process.versions.node} does not have (${missing.join(', ')}): run it with Node 24, as \`npm start\` does, or take isolate out of the config`,
  )
}

export interface Grants {
  /** Files and folders that may be read. */
  readonly read: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface GrantsOptions {
  /** The config file. */
  readonly file: string
  readonly bot: string
  /** Where the journals, recordings and runs are. */
  readonly dataDir: string
}

/**
 * What a process of these strategies is given: its own code and packages, and what the config names.
 *
 * @throws CornermanError `CONFIG_INVALID` where a folder holds what no strategy may read
 */
export function grantsFor(strategy: string, { read, env }: IsolationOf, { file, bot, dataDir }: GrantsOptions): Grants {
  const folder = dirname(file)
  const asked = read.map((path) => {
    const full = real(resolve(folder, path))
    const kept = [
      ['the data directory', real(resolve(dataDir))],
      ...[folder, process.cwd()].map((place) => ['.env', real(join(place, '.env'))] as const),
    ] as const
    for (const [what, place] of kept) {
      if (!isWithin(full, place) && !(what === 'the data directory' && isWithin(place, full))) continue
      const message = `${file}: bots.${bot}.isolate: ${strategy} may read ${path}, which holds ${what}: name a folder that does not`
      throw new CornermanError('CONFIG_INVALID', message, { details: { bot, strategy, path } })
    }
    return full
  })
  const values = env.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { read: [...codeOf(file), ...asked], env: Object.fromEntries(values) }
}

/** The framework, the packages, and of everything else the files that the config imports. */
function codeOf(file: string): string[] {
  const modules = [file, ...ownModules()].filter((path) => !isWithin(SOURCE, path) && !path.includes(`${sep}node_modules${sep}`))
  const parents = new Set([ROOT, ...modules.map((path) => dirname(path))].flatMap(parentsOf))
  const packages = [...parents].map((folder) => join(folder, 'node_modules')).filter((folder) => existsSync(folder))
  // Which kind of module a file is stands there.
  const manifests = [...parents].map((folder) => join(folder, 'package.json')).filter((path) => existsSync(path))
  return [...new Set([SOURCE, ...packages.map(real), ...manifests, ...modules])]
}

const parentsOf = (folder: string): string[] => (dirname(folder) === folder ? [folder] : [folder, ...parentsOf(dirname(folder))])

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}
