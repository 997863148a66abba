import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
mkdirSync(CACHE, { recursive: true })

export const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url))
/** The clone's manifest, while the package's has its place. */
export const KEPT = `${CACHE}cornerman-package.json`

/** Puts the clone's manifest back, where the package's has its place. */
export function restoreManifest(): void {
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST)
}
