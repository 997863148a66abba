import { pathToFileURL } from 'node:url'
import { CornermanError } from '../core/error.ts'
// Before the file is: what it imports is what an isolated process may read.
import '../live/isolation/ownModules.ts'
import { toItsEnd } from './unfinished.ts'

/**
 * Imports a file of the user's.
 *
 * @param file its absolute path
 * @param unloaded what to say, and by what name, where it ends the program, or never comes to its end
 */
export const importFile = async (
  file: string,
  unloaded: { readonly code: 'CONFIG_NOT_LOADED' | 'STRATEGY_NOT_LOADED'; readonly name: string },
): Promise<{ readonly default?: unknown }> =>
  (await toItsEnd(
    () => import(pathToFileURL(file).href),
    () => new CornermanError(unloaded.code, `${unloaded.name}: it, or what it imports, ended the program, or awaits what never comes`),
  )) as { readonly default?: unknown }
