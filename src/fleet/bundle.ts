import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { CornermanError } from '../core/error.ts'

/** Packages that every worker has beside its framework, of the same versions. */
const SHARED = ['cornerman', 'zod', 'rxjs', 'trading-signals'] as const
/** Modules of Node that ask nothing of the machine. */
const PURE = new Set(['assert', 'buffer', 'crypto', 'events', 'path', 'querystring', 'string_decoder', 'url', 'util'])

/** An import while the program runs, or in the words of another kind of module. */
const LATE_IMPORT = /\b(?:import\s*\(|require\s*\()/

/** The sources that a bot is made of, by their paths below the folder that has all of them. */
export interface Bundle {
  readonly root: string
  readonly files: Readonly<Record<string, string>>
}

/** An import of a file that was loaded, and the file that it leads to. */
export interface Import {
  readonly specifier: string
  readonly leadsTo: string
}

/**
 * Gathers the sources of files that were loaded, and of all that they import by relative paths.
 *
 * @param importsOf what each of them has imported
 * @throws CornermanError `BUNDLE_IMPORT` where something is imported that a worker may not have
 */
export function bundleOf(entries: readonly string[], importsOf: (file: string) => readonly Import[]): Bundle {
  const sources = new Map<string, string>()
  const open = entries.map((file) => realpathSync(file))
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (sources.has(file)) continue
    const source = readFileSync(file, 'utf8')
    if (LATE_IMPORT.test(source)) throw refused(file, 'import(…)', 'what it loads is known only when it runs')
    sources.set(file, source)
    for (const { specifier, leadsTo } of importsOf(file))
      if (/^\.\.?\//.test(specifier)) open.push(leadsTo)
      else if (!isShared(specifier))
        throw refused(file, specifier, `a worker has ${SHARED.join(', ')} and what is imported by relative paths`)
  }
  const root = commonFolder([...sources.keys()])
  const files = [...sources].map(([file, source]): [string, string] => [pathIn(root, file), source])
  return { root, files: Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1))) }
}

/** A file's path in a bundle, with slashes on every system. */
export const pathIn = (root: string, file: string): string => relative(root, realpathSync(file)).split(sep).join('/')

export const packed = ({ files }: Bundle): Uint8Array => zstdCompressSync(JSON.stringify(files))

/**
 * Lays the sources of a bundle into a folder, beside this framework: what they import of it is what this process runs.
 *
 * @param framework the folder of this installation
 */
export function layBundle(bytes: Uint8Array, folder: string, framework: string): void {
  const files = JSON.parse(zstdDecompressSync(bytes).toString()) as Bundle['files']
  // Without it Node would look for the kind of a module in folders that are not ours.
  lay(folder, 'package.json', '{ "type": "module" }\n')
  for (const [path, source] of Object.entries(files)) lay(folder, path, source)
  const packages = join(folder, 'node_modules')
  mkdirSync(packages, { recursive: true, mode: 0o700 })
  for (const name of SHARED) {
    const target = name === 'cornerman' ? framework : packageFolder(framework, name)
    const link = join(packages, name)
    if (target !== undefined && !existsSync(link)) linkTo(target, link)
  }
}

/** Where a package of the framework is installed; undefined where it is not. */
export function packageFolder(framework: string, name: string): string | undefined {
  for (let folder = framework; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (folder === dirname(folder)) return undefined
  }
}

function linkTo(target: string, link: string): void {
  try {
    symlinkSync(target, link, 'junction')
  } catch (thrown) {
    // Another worker of this host was quicker.
    if ((thrown as { code?: unknown }).code !== 'EEXIST') throw thrown
  }
}

function lay(folder: string, path: string, content: string): void {
  const file = resolve(folder, path)
  if (!file.startsWith(resolve(folder) + sep)) throw new CornermanError('BUNDLE_IMPORT', `${path} lies outside of its bundle`)
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const own = `${file}.${process.pid}`
  writeFileSync(own, content, { mode: 0o600 })
  renameSync(own, file)
}

const isShared = (name: string): boolean =>
  SHARED.some((shared) => name === shared || name.startsWith(`${shared}/`)) ||
  (builtinModules.includes(name.replace(/^node:/, '')) && PURE.has(name.replace(/^node:/, '').split('/')[0] ?? ''))

const refused = (file: string, name: string, why: string): CornermanError =>
  new CornermanError(
    'BUNDLE_IMPORT',
    `${file} imports ${name}, which does not travel to workers: ${why}. Search without --fleet, or do without it`,
  )

function commonFolder(files: readonly string[]): string {
  const parts = files.map((file) => dirname(file).split(sep))
  const [first = []] = parts
  const length = first.findIndex((part, place) => parts.some((other) => other[place] !== part))
  return first.slice(0, length < 0 ? first.length : length).join(sep) || sep
}
