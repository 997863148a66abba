import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CornermanError } from '../core/error.ts'
import { type Config, readConfig } from '../strategy/config.ts'
import type { Secret } from '../strategy/secret.ts'
import { importFile } from './importFile.ts'

/**
 * Loads a config and everything it imports.
 *
 * @throws CornermanError `CONFIG_MISSING`, `CONFIG_NOT_LOADED` (a strategy file that does not load, a
 *   wrong parameter) or `CONFIG_INVALID`: each message names the file
 */
export async function loadConfig(path: string): Promise<Config> {
  const file = resolve(path)
  if (!existsSync(file)) {
    throw new CornermanError('CONFIG_MISSING', `${path}: there is no such file; name the config with --config, or make one from the README`)
  }
  const module = await importFile(file, { code: 'CONFIG_NOT_LOADED', name: path })
  return readConfig(module.default, path)
}

/**
 * The value of a secret, from the environment.
 *
 * @param field where the config names it, for the message
 * @throws CornermanError `SECRET_MISSING`
 */
export function revealSecret({ secret }: Secret, field: string): string {
  const value = process.env[secret]
  if (value === undefined || value === '') {
    throw new CornermanError(
      'SECRET_MISSING',
      `${field}: the environment variable ${secret} is not set: set it, or write ${secret}=… into .env beside package.json`,
    )
  }
  return value
}
