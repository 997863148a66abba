import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Of this process, in which many test files run: a module that was loaded once is not read again. */
let written = 0

/** Configs beside the project's own, since they import `cornerman` as that one does. */
export class TestConfigs {
  readonly #files: string[] = []

  get count(): number {
    return this.#files.length
  }

  /** @returns its name in the project's folder */
  write(text: string): string {
    const name = `test-${process.pid}-${written++}.config.ts`
    this.#files.push(join(ROOT, name))
    writeFileSync(join(ROOT, name), text)
    return name
  }

  remove(): void {
    for (const file of this.#files) rmSync(file, { force: true })
  }
}

/** The path of a config for a process that runs elsewhere. */
export const pathOf = (name: string): string => join(ROOT, name)
