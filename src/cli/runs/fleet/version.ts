import { hash } from 'node:crypto'
import { plainJson } from '../../../core/plainJson.ts'
import { frameworkOf } from '../../../fleet/framework.ts'
import type { Config } from '../../../strategy/config.ts'
import { fingerprintOf } from '../../../strategy/fingerprint.ts'
import { ROOT } from '../../root.ts'

const DIGITS = 12

/**
 * What decides how the bots of a fleet are played: this installation, and the config with the text of its strategies. Two hosts of one
 * version would decide the same; secrets are in it by name only. Of the whole config, whichever of its bots a host plays.
 */
export function versionOf({ bots, service, market }: Config): string {
  const config = hash('sha256', JSON.stringify(plainJson({ bots: bots.map(fingerprintOf), service, market })))
  return `${frameworkOf(ROOT).slice(0, DIGITS)}.${config.slice(0, DIGITS)}`
}
