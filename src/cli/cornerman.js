#!/usr/bin/env node
// The first thing that runs, in whatever Node the user has: plain JavaScript. It says at once what it waits for, goes on in
// the Node that came as a package where this one will not do, or says which is needed, and hands over to main.ts.

import { ownNode, runIn } from './ownNode.js'

// Types are stripped, SQLite and zstd are there, and a compile cache, all without flags: in Node 24, and in 22 from 22.19 on, which undici
// asks for. Node 23 had its end before some of it. The sources have syntax that 22 lacks; what is built of them has not.
const isBuilt = import.meta.url.endsWith('/dist/cli/cornerman.js')
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isFit = major >= 24 || (isBuilt && major === 22 && minor >= 19)
const other = isFit ? undefined : ownNode()
if (other !== undefined) {
  runIn(other)
  await new Promise(() => {})
}
if (!isFit) {
  const needed = isBuilt ? 'Node 24 or newer, or 22.19 or newer of 22,' : 'Node 24 or newer'
  process.stderr.write(
    `cornerman: this is Node ${process.versions.node}, and ${needed} is needed. On Linux and Windows (x64) npm install brings one, unless it leaves out what is optional. Elsewhere install it: https://nodejs.org\n`,
  )
  process.exit(2)
}

if (major === 22) {
  // There, SQLite and the stripping of types say at every start that they are experiments.
  const { emitWarning } = process
  process.emitWarning = (...args) => {
    if (!args.includes('ExperimentalWarning')) Reflect.apply(emitWarning, process, args)
  }
}

const [, , command, ...rest] = process.argv
if (command === 'start' && !rest.includes('--help') && !rest.includes('-h')) {
  const msg = 'starting: loading the framework'
  // As the log has it from here on: words on a terminal, else JSON lines.
  process.stderr.write(
    process.stderr.isTTY ? `cornerman: ${msg}\n` : `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg })}\n`,
  )
}

const { enableCompileCache } = await import('node:module')
// Compiled once, and not with every start. In a folder of this installation: what lies in a common one, others could have put there.
enableCompileCache(`${import.meta.dirname}/../../node_modules/.cache/cornerman`)
// Before the rest is loaded: the window may be closed at once.
const { outliveHangups } = await import('./hangup.ts')
outliveHangups()
await import('./main.ts')
