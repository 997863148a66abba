import { pathToFileURL } from 'node:url'
import { CornermanError } from '../core/error.ts'
// Before the file is: what it imports is what an isolated process may read.
import '../live/isolation/ownModules.ts'
import { importTrouble } from './importTrouble.ts'
import { toItsEnd } from './unfinished.ts'

/**
 * Imports a file of the user's.
 *
 * @param file its absolute path
 * @param unloaded the code of the error, and what to call the file in it
 * @throws CornermanError with that code, where it cannot be imported; where it ends the program, or never comes to its end, the program
 *   ends with it
 */
export async function importFile(
  file: string,
  { code, name }: { readonly code: 'CONFIG_NOT_LOADED' | 'STRATEGY_NOT_LOADED'; readonly name: string },
): Promise<{ readonly default?: unknown }> {
  try {
    return (await toItsEnd(
      () => import(pathToFileURL(file).href),
      () => new CornermanError(code, `${name}: it, or what it imports, ended the program, or awaits what never comes`),
    )) as { readonly default?: unknown }
  } catch (thrown) {
    const trouble = importTrouble(thrown)
    throw new CornermanError(code, trouble.startsWith(`${name}:`) ? trouble : `${name}: ${trouble}`, { cause: thrown })
  }
}
