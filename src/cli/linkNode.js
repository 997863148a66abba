// Run after npm install in the folder that it installs in, on whatever Node the user has: plain JavaScript. npm puts node_modules/.bin
// first on the path of its scripts, and with it the Node that came as a package. npm 10 takes that link away again: the packages for other
// platforms, which it leaves out, have a program of the same name.

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { ownNode } from './ownNode.js'

const isWindows = process.platform === 'win32'
const bin = resolve('node_modules/.bin')
const link = join(bin, `node${isWindows ? '.cmd' : ''}`)
const program = ownNode()

if (program !== undefined && !existsSync(link)) {
  mkdirSync(bin, { recursive: true })
  if (isWindows) writeFileSync(link, `@"%~dp0${relative(bin, program)}" %*\r\n`)
  else symlinkSync(relative(bin, program), link)
}
