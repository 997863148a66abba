// npm runs this once it has packed.

import { restoreManifest } from './keptManifest.ts'

restoreManifest()
