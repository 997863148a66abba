import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endOf } from './endOf.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LINKED = ['src', 'test', 'node_modules']
const COPIED = ['package.json', 'tsconfig.json', 'biome.json', 'vitest.config.ts', 'bots.config.ts', 'strategies']

export interface ToolEnd {
  readonly exitCode: number | null
  /** What it printed, to both streams. */
  readonly output: string
}

/** A folder like a user's checkout, whose `strategies/` can be written to; the rest of the project is linked. */
export class Checkout implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'cornerman-checkout-'))

  constructor() {
    for (const name of LINKED) symlinkSync(join(ROOT, name), join(this.root, name))
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.root, name), { recursive: true })
  }

  /** Runs a tool of `node_modules/.bin`, or a script of the project, as a user would there. */
  async run(command: string, ...args: readonly string[]): Promise<ToolEnd> {
    const isTool = !/\.[jt]s$/.test(command)
    const child = spawn(isTool ? join(ROOT, 'node_modules/.bin', command) : process.execPath, isTool ? args : [command, ...args], {
      cwd: this.root,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { stdout, stderr, exitCode } = await endOf(child)
    return { exitCode, output: stdout + stderr }
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
