import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { packageFolder } from './bundle.ts'

/** What the build writes beside itself: the hash of the sources that it was made of. */
export const BUILT_FROM = 'fleet/sources.sha256'

/** Of a clone alone: they make the dashboard's page, which a package has made. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(['es-module-lexer', 'oxc-transform', 'preact'])

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
}

/**
 * SHA-256 of what decides how a block is played: the framework's own sources, the versions of the packages it runs with, and Node's. The
 * same for a clone and for a package that was built of it.
 *
 * @param root the folder of the installation
 */
export function frameworkOf(root: string): string {
  const built = join(root, 'dist', BUILT_FROM)
  const sources = existsSync(built) ? readFileSync(built, 'utf8').trim() : hashOfSources(join(root, 'src'))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  const versions = packagesOf({ dependencies }).map((name) => `${name} ${versionOf(root, name)}`)
  return hash('sha256', [sources, ...versions, `node ${process.versions.node}`].join('\n'))
}

/** The packages that clones and packages of the framework run with. */
export const packagesOf = ({ dependencies }: Manifest): string[] =>
  Object.keys(dependencies)
    .filter((name) => !OF_THE_PAGE.has(name))
    .toSorted()

/** SHA-256 of the framework's sources without their tests, wherever they lie. */
export function hashOfSources(folder: string): string {
  const files = globSync('**/*.{ts,tsx,js,json}', { cwd: folder }).filter((file) => !/\.test\.tsx?$/.test(file))
  const lines = files.map((file) => `${file.split(sep).join('/')} ${hash('sha256', readFileSync(join(folder, file)))}`)
  return hash('sha256', lines.toSorted().join('\n'))
}

function versionOf(root: string, name: string): string {
  const folder = packageFolder(root, name)
  if (folder === undefined) return 'none'
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
}
