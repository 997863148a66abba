import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { CornermanError, messageOf } from '../../../core/error.ts'
import { isWithin } from '../../../live/isWithin.ts'
import { ROOT } from '../../root.ts'
import { dockerfileOf } from './dockerfile.ts'
import { manifestOf, type OwnManifest } from './manifest.ts'
import { pack } from './pack.ts'

const SCAFFOLD = join(import.meta.dirname, 'scaffold')
/** Names that npm keeps to itself, or leaves out, when it packs. */
const RENAMED: Readonly<Record<string, string>> = { dockerignore: '.dockerignore', gitignore: '.gitignore', npmrc: '.npmrc' }
/** Beside those that the config plays: one of the kind that it has none of. */
const CUSTOM = 'patient'
const IMPORT = /from '\.\/strategies\/([^']+)\.ts'/g

export interface Initiated {
  /** As it was named. */
  readonly folder: string
  /** Relative to it. */
  readonly files: readonly string[]
  /** The packed framework, relative to the folder. */
  readonly tarball: string
}

/**
 * Makes a folder to write bots in: a config that plays all modes, its strategies with their tests, and the framework, packed.
 *
 * @param folder one that is not there yet, or is empty
 * @throws CornermanError `USAGE` where something stands in the way, `INIT_FAILED` where it cannot be written or packed: then nothing
 *   is left behind
 */
export async function init(folder: string): Promise<Initiated> {
  const target = resolve(folder)
  const isThere = existsSync(target)
  expectFree(folder, target)
  try {
    mkdirSync(join(target, 'vendor'), { recursive: true })
    const tarball = `vendor/${await pack(join(target, 'vendor'))}`
    const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as OwnManifest
    writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifestOf(own, { name: basename(target), tarball }), null, 2)}\n`)
    for (const file of readdirSync(SCAFFOLD)) cpSync(join(SCAFFOLD, file), join(target, RENAMED[file] ?? file))
    for (const file of playedFiles()) cpSync(join(ROOT, file), join(target, file))
    writeFileSync(join(target, 'Dockerfile'), dockerfileOf(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')))
    const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = files.map(({ parentPath, name }) => relative(target, join(parentPath, name)).replaceAll('\\', '/'))
    return { folder, files: paths.toSorted(), tarball }
  } catch (thrown) {
    // A folder of the user's stays, as empty as it was.
    for (const path of isThere ? contentsOf(target).map((name) => join(target, name)) : [target])
      rmSync(path, { recursive: true, force: true })
    if (thrown instanceof CornermanError) throw thrown
    throw new CornermanError('INIT_FAILED', `${folder}: it could not be written: ${messageOf(thrown)}: name a folder that may be written`, {
      cause: thrown,
    })
  }
}

/** What to do next, line by line. */
export const nextSteps = ({ folder, files }: Initiated): string[] => [
  `wrote ${files.length} files into ${folder}`,
  '',
  `  cd ${folder}`,
  '  npm install',
  '  npm start',
]

function expectFree(folder: string, target: string): void {
  if (isWithin(ROOT, target)) throw usage(`${folder} lies in the framework's own folder: name one outside, such as ../my-bots`)
  if (!existsSync(target)) return
  const [first] = contentsOf(target)
  if (first !== undefined) throw usage(`${folder} is there already, and holds ${first}: name a folder that is not there, or is empty`)
}

function contentsOf(target: string): string[] {
  try {
    return readdirSync(target)
  } catch (thrown) {
    throw usage(`${target} cannot be read as a folder: ${messageOf(thrown)}`)
  }
}

/** The config, the strategies that it plays with their tests, and what puts them into a container. */
function playedFiles(): string[] {
  const config = readFileSync(join(ROOT, 'bots.config.ts'), 'utf8')
  const names = [...config.matchAll(IMPORT)].map(([, name = '']) => name)
  return [
    'bots.config.ts',
    'compose.yaml',
    ...[...names, CUSTOM].flatMap((name) => [`strategies/${name}.ts`, `strategies/${name}.test.ts`]),
  ]
}

const usage = (message: string) => new CornermanError('USAGE', message)
