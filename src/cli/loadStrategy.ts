import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { CornermanError } from '../core/error.ts'
import type { Definition, Strategy } from '../strategy/define.ts'
import { importFile } from './importFile.ts'

export type AnyDefinition = Definition<never, Strategy>

/**
 * Loads the definition that a strategy file exports by default.
 *
 * @throws CornermanError `STRATEGY_FILE_MISSING`, `STRATEGY_NOT_LOADED` where it cannot be imported, or exports no strategy by
 *   default: each message names the file and what is wrong with it
 */
export async function loadStrategy(path: string): Promise<AnyDefinition> {
  const file = resolve(path)
  const name = relative('.', file)
  if (!existsSync(file)) throw new CornermanError('STRATEGY_FILE_MISSING', `${name}: there is no such file`)
  const module = await importFile(file, { code: 'STRATEGY_NOT_LOADED', name })
  if (isDefinition(module.default)) return module.default
  const exported = 'default' in module ? 'its default export is not a strategy' : 'it has no default export'
  throw new CornermanError(
    'STRATEGY_NOT_LOADED',
    `${name}: ${exported}: a strategy file ends in export default defineTrader({ … }), or another define…`,
  )
}

function isDefinition(value: unknown): value is AnyDefinition {
  return typeof value === 'function' && 'strategyName' in value && 'kind' in value && 'paramsSchema' in value
}
