import { z } from 'zod'
import { shapesInputSchema } from '../../../src/contract/shapes/shapes.ts'
import { configSchema } from '../../../src/strategy/config.ts'
import { secretSchema } from '../../../src/strategy/secret.ts'

/** A field of the config that has no fields of its own. */
export interface ConfigField {
  /** As `bots[].guard.maxStake` or, of what a function makes, `sandbox().seed`. */
  readonly path: string
  /** Whether it may be left out. */
  readonly isOptional: boolean
  /** Its value where it is left out; undefined where it then has none. */
  readonly byDefault: unknown
  /** The values of a list that may hold some of a few. */
  readonly choices: readonly unknown[] | undefined
}

/** Every field of the config's schema. */
export const configFields = (): readonly ConfigField[] => fieldsIn(configSchema, '')

function fieldsIn(schema: z.core.$ZodType, path: string): readonly ConfigField[] {
  const { inner, isOptional, byDefault } = unwrapped(schema)
  const own: ConfigField = { path, isOptional, byDefault, choices: choicesOf(inner) }
  // A mapping has a page of its own, which test/shapesDocs.test.ts compares with its schema.
  if (inner === secretSchema || inner === shapesInputSchema) return [own]
  if (inner instanceof z.ZodObject) return fieldsOf(inner, path === '' ? '' : `${path}.`)
  if (inner instanceof z.ZodArray) {
    const elements = fieldsIn(inner.element, `${path}[]`)
    const hasFields = elements.some((field) => field.path !== `${path}[]`)
    // A list that may be left out is a field beside those of its elements.
    return hasFields ? [...(isOptional ? [own] : []), ...elements.filter((field) => field.path !== `${path}[]`)] : [own]
  }
  if (inner instanceof z.ZodDiscriminatedUnion) {
    return inner.options.flatMap((option) => (option instanceof z.ZodObject ? fieldsOf(option, `${kindOf(option)}().`) : []))
  }
  if (inner instanceof z.ZodUnion) {
    const fields = inner.options.flatMap((option) => fieldsIn(option, path).filter((field) => field.path !== path))
    return [own, ...fields]
  }
  return [own]
}

const fieldsOf = (object: z.ZodObject, prefix: string): readonly ConfigField[] =>
  Object.entries(object.shape)
    .filter(([name]) => name !== 'kind')
    .flatMap(([name, field]) => fieldsIn(field, `${prefix}${name}`))

/** What a schema is beneath its defaults. */
function unwrapped(schema: z.core.$ZodType): { inner: z.core.$ZodType; isOptional: boolean; byDefault: unknown } {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return { ...unwrapped(schema.def.innerType), isOptional: true, byDefault: schema.def.defaultValue }
  }
  if (schema instanceof z.ZodOptional) return { ...unwrapped(schema.def.innerType), isOptional: true }
  return { inner: schema, isOptional: false, byDefault: undefined }
}

function choicesOf(schema: z.core.$ZodType): readonly unknown[] | undefined {
  return schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum ? schema.element.options : undefined
}

/** The name of the function that makes it. */
function kindOf(option: z.ZodObject): string {
  const { kind } = option.shape as { readonly kind: z.ZodLiteral<string> }
  return kind.value
}
