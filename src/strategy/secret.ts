import { z } from 'zod'

/** A secret by the name of the environment variable that holds it; its value is never in the config. */
export interface Secret {
  /** The name of the variable. */
  readonly secret: string
}

const VARIABLE = /^[A-Z][A-Z0-9_]*$/

/**
 * Names an environment variable, or a line of `.env`, that holds a secret. The config has the name alone, never the value.
 *
 * @example secret('ALICE_AGENT_KEY')
 */
export function secret(variable: string): Secret {
  return { secret: variable }
}

const A_SECRET = "the name of an environment variable, such as secret('ALICE_AGENT_KEY'), never the secret itself"
export const secretSchema = z.strictObject({ secret: z.string({ error: A_SECRET }).regex(VARIABLE, A_SECRET) }, { error: A_SECRET })
