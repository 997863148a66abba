import { z } from 'zod'

const metaSchema = z.looseObject({
  scale: z.enum(['linear', 'log']).optional(),
  when: z.record(z.string(), z.unknown()).optional(),
})

/** What a schema says of how it is searched, the outermost word first. */
export function searchMeta(field: z.ZodType): z.output<typeof metaSchema> {
  const own = metaSchema.safeParse(field.meta() ?? {}).data ?? {}
  const within = field instanceof z.ZodDefault || field instanceof z.ZodPrefault || field instanceof z.ZodOptional
  return within ? { ...searchMeta(field.def.innerType as z.ZodType), ...own } : own
}
