import { z } from 'zod'
import { PREDICTION_MODES, TRADING_MODES } from '../contract/modes.ts'
import { CornermanError } from '../core/error.ts'
import { show } from '../core/show.ts'
import { describeIssue } from './issue.ts'
import { periodMs } from './period.ts'

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,39}$/

const work = z.custom((value) => typeof value === 'function', { error: 'a function' })
const common = {
  name: z.string(),
  params: z.custom(isObjectSchema, { error: 'a zod object, such as z.object({}), with refine() where need be and without transform()' }),
  external: z.boolean().optional(),
}

/** What a definition may have, by kind. */
const SCHEMAS = {
  queue: z.strictObject({ ...common, everySec: z.number().optional(), browse: work.optional(), decide: work }),
  draft: z.strictObject({ ...common, pick: work }),
  predict: z.strictObject({
    ...common,
    modes: z.array(z.enum(PREDICTION_MODES)).min(1).optional(),
    predict: work,
  }),
  trade: z.strictObject({ ...common, modes: z.array(z.enum(TRADING_MODES)).min(1), trade: work }),
  custom: z.strictObject({ ...common, run: work }),
}

/**
 * Checks what a strategy file defines, since Node runs it without a look at its types.
 *
 * @throws CornermanError `STRATEGY_NAME_INVALID`, `STRATEGY_PERIOD_INVALID`, and `STRATEGY_INVALID` for all else: strategy, field, value, and
 *   what is allowed
 */
export function checkDefinition(kind: keyof typeof SCHEMAS, definition: unknown): void {
  const { name, everySec } = (definition ?? {}) as { readonly name?: unknown; readonly everySec?: unknown }
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new CornermanError(
      'STRATEGY_NAME_INVALID',
      `${show(name)} is not a strategy name: a letter, then up to 39 letters, digits, - or _`,
    )
  }
  if (kind === 'queue' && typeof everySec === 'number') periodMs(everySec, `strategy ${name}: everySec`)
  const schema = SCHEMAS[kind]
  const { error } = schema.safeParse(definition)
  if (error === undefined) return
  const names = { whole: 'its definition', unknownField: `no such field; there is ${Object.keys(schema.shape).join(', ')}` }
  const issues = error.issues.map((issue) => describeIssue(issue, definition, names))
  throw new CornermanError('STRATEGY_INVALID', `strategy ${name}: ${issues.join('; ')}`, { details: { strategy: name, issues } })
}

/** By what it has and not by its class: a strategy may bring a copy of zod of its own. */
function isObjectSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { def, strict } = value as { readonly def?: { readonly type?: unknown }; readonly strict?: unknown }
  return def?.type === 'object' && typeof strict === 'function'
}
