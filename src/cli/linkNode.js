// Run after npm install, on whatever Node the user has: plain JavaScript. npm puts node_modules/.bin first on the path of its scripts,
// and with it the Node that came as a package. npm 10 takes that link away again: the packages for other platforms, which it leaves out,
// have a program of the same name.

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = new URL('../../node_modules/', import.meta.url)
const os = process.platform === 'win32' ? 'win' : process.platform
const program = `node-${os}-${process.arch}/bin/node${os === 'win' ? '.exe' : ''}`
const link = fileURLToPath(new URL(`.bin/node${os === 'win' ? '.cmd' : ''}`, packages))

if (existsSync(new URL(program, packages)) && !existsSync(link)) {
  mkdirSync(new URL('.bin/', packages), { recursive: true })
  if (os === 'win') writeFileSync(link, `@"%~dp0..\\${program.replaceAll('/', '\\')}" %*\r\n`)
  else symlinkSync(`../${program}`, link)
}
