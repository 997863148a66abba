// The first thing that runs, in whatever Node the user has: plain JavaScript without imports of ours. It says at once what it
// waits for, or which Node is needed, and hands over to main.ts.

/** Types are stripped, SQLite and zstd are there, and a compile cache: all without flags. */
const NEEDED = 24

const major = Number.parseInt(process.versions.node, 10)
if (major < NEEDED) {
  process.stderr.write(
    `cornerman: this is Node ${process.versions.node}, and Node ${NEEDED} or newer is needed. On Linux and Windows (x64) npm install brings one: npm start and npm run cornerman take it. Elsewhere install it: https://nodejs.org\n`,
  )
  process.exit(2)
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
await import('./main.ts')
