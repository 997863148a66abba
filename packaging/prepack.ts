// npm runs this before it packs. In the clone `cornerman` is the sources, which Node does not run from within node_modules; in the package
// it is what is built of them. The manifest of the package takes the clone's place until npm has packed it (postpack).

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../src/cli/root.ts'
import { build } from './build.ts'
import { KEPT, MANIFEST, restoreManifest } from './keptManifest.ts'
import { type Manifest, manifestOf } from './manifest.ts'

// An earlier packing may have been killed.
restoreManifest()
await build(join(ROOT, 'dist'))
const text = readFileSync(MANIFEST, 'utf8')
writeFileSync(KEPT, text)
writeFileSync(MANIFEST, `${JSON.stringify(manifestOf(JSON.parse(text) as Manifest), null, 2)}\n`)
