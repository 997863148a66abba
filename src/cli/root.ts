import { fileURLToPath } from 'node:url'

/** The folder of this installation: of the clone, or of the package. Without a slash at its end. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')
