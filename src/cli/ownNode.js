// The Node that came as a package, for whatever Node the user has: plain JavaScript without imports of ours.

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'

/** @returns {string | undefined} the program's path; undefined where there is no package for this system */
export function ownNode() {
  const isWindows = process.platform === 'win32'
  const program = `node-${isWindows ? 'win' : process.platform}-${process.arch}/bin/node${isWindows ? '.exe' : ''}`
  try {
    return createRequire(import.meta.url).resolve(program)
  } catch {
    return undefined
  }
}

/**
 * Runs this command in it, and ends as it ends.
 *
 * @param {string} node
 */
export function runIn(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' })
  const pass = (signal) => {
    // A terminal sends its own to both.
    if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass)
  child.on('exit', (code, signal) => {
    process.removeAllListeners()
    if (signal !== null) process.kill(process.pid, signal)
    else process.exit(code ?? 1)
  })
}
