// `node packaging/stage.ts FOLDER`: the package as a folder, for `cornerman init`. Bots may play from this clone meanwhile: nothing of it is
// touched.

import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from '../src/cli/root.ts'
import { build } from './build.ts'
import { type Manifest, manifestOf } from './manifest.ts'

const [, , folder = ''] = process.argv
const stage = resolve(folder)
const manifest = manifestOf(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest)
await build(join(stage, 'dist'))
for (const file of ['README.md', 'LICENSE', ...manifest.files]) {
  if (file === 'dist' || file.startsWith('!') || !existsSync(join(ROOT, file))) continue
  cpSync(join(ROOT, file), join(stage, file), { recursive: true })
}
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
