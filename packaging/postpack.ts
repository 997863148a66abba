// npm runs this once it has packed: the clone is what it was before.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../src/cli/root.ts'
import { restoreManifest } from './keptManifest.ts'

restoreManifest()
rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
