// `npm exec -- node bench/commands.ts`: how long a command takes that has next to nothing to do, medians of five.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { warmSeconds } from './support/backtest/measure.ts'

const MAIN = fileURLToPath(new URL('../src/cli/cornerman.js', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'commands-'))

const COMMANDS = [
  ['--help'],
  ['stop', '--entries', '--data-dir', dataDir],
  ['logs', 'list', '--data-dir', dataDir],
  ['strategies'],
  ['doctor', '--data-dir', dataDir],
]

for (const args of COMMANDS) {
  // The first run compiles what the others take from the cache.
  const seconds = await warmSeconds(() => expectDone(args), { warmUps: 1 })
  console.log(`${args[0]?.padEnd(12)} ${seconds.toFixed(2)} s`)
}
rmSync(dataDir, { recursive: true })

function expectDone(args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
}
