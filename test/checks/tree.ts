import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** `bench/peers` and `bench/mutation` are projects of their own, with packages of their own. */
const NOT_SOURCE = new Set(['node_modules', '.git', '.cornerman', 'coverage', 'site', 'peers', 'mutation'])

/** Files to write, by path; a function gets what stands there. */
export type Files = Readonly<Record<string, string | ((before: string) => string)>>

/** A folder holding the project, or a copy of it. */
export class Tree {
  readonly root: string

  constructor(root: string) {
    this.root = realpathSync(root)
  }

  /** The TypeScript files of the project, relative to its root. */
  sources(): readonly string[] {
    return this.#walk('').filter((file) => /\.tsx?$/.test(file))
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), 'utf8')
  }

  write(files: Files): void {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, file)), { recursive: true })
      writeFileSync(join(this.root, file), typeof content === 'string' ? content : content(this.read(file)))
    }
  }

  /** Runs git in the root, on the repository that is found from there and on no other. */
  git(...args: readonly string[]): string {
    // A hook of git runs with variables that name its own repository.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')))
    return execFileSync('git', args, { cwd: this.root, encoding: 'utf8', env: { ...env, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  /** Makes the root a repository and adds an empty commit for each subject. */
  commit(subjects: readonly string[]): void {
    this.git('init', '--quiet')
    const settings = ['user.name=Planted', 'user.email=planted@example.invalid', 'commit.gpgSign=false']
    const options = settings.flatMap((setting) => ['-c', setting])
    for (const subject of subjects) this.git(...options, 'commit', '--quiet', '--no-verify', '--allow-empty', '--message', subject)
  }

  #walk(folder: string): string[] {
    return readdirSync(join(this.root, folder), { withFileTypes: true }).flatMap((entry) => {
      if (NOT_SOURCE.has(entry.name)) return []
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? this.#walk(path) : [path]
    })
  }
}

export interface CopyOptions {
  /** Leaves the installed packages out, the tools among them. */
  readonly withoutPackages?: boolean
}

/**
 * Lends `use` a copy of the tree in the system's temporary folder and removes it afterwards. The
 * installed packages are linked, not copied.
 */
export async function withCopy<T>(tree: Tree, options: CopyOptions, use: (copy: Tree) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'cornerman-check-'))
  try {
    cpSync(tree.root, root, {
      recursive: true,
      filter: (from) => !NOT_SOURCE.has(basename(from)),
    })
    if (!options.withoutPackages) symlinkSync(join(tree.root, 'node_modules'), join(root, 'node_modules'), 'junction')
    return await use(new Tree(root))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
