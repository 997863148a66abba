import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Copies the files that git knows, as they stand in the working tree: what a clone would have once they are committed. */
export function copyCheckout(folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  for (const file of files.split('\0')) {
    if (file !== '' && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file), { recursive: true })
  }
}

/** Puts the packages that are installed here into a copy. */
export const linkPackages = (folder: string): void => symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))

/** The project as somebody would have it who cloned it now, with the packages of this one. */
export interface WorkingCopy extends Disposable {
  readonly folder: string
}

export function openWorkingCopy(): WorkingCopy {
  const folder = mkdtempSync(join(tmpdir(), 'working-copy-'))
  copyCheckout(folder)
  linkPackages(folder)
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
