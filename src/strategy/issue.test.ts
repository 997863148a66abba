import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue } from './issue.ts'

const said = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map((issue) => describeIssue(issue, value, { whole: 'it', unknownField: 'no such field' }))

test.each<[z.ZodType, unknown, string]>([
  [z.int(), 1.5, 'it = 1.5: a whole number'],
  [z.number(), 'x', "it = 'x': a number"],
  [z.bigint(), 1, 'it = 1: a bigint, such as 5n'],
  [z.string(), 1, 'it = 1: text'],
  [z.boolean(), 1, 'it = 1: true or false'],
  [z.array(z.string()), 1, 'it = 1: a list'],
  [z.strictObject({ a: z.string() }), 1, 'it = 1: an object, { … }'],
  [z.strictObject({ a: z.string() }), {}, 'a is missing: text'],
  [z.int().min(250), 1, 'it = 1: at least 250'],
  [z.number().gt(0), 0, 'it = 0: more than 0'],
  [z.number().max(5), 6, 'it = 6: at most 5'],
  [z.number().lt(5), 5, 'it = 5: less than 5'],
  [z.array(z.string()).min(1), [], 'it: at least 1 of them'],
  [z.string().max(2), 'abc', "it = 'abc': at most 2 characters"],
  [z.enum(['a', 'b']), 'c', "it = 'c': one of 'a', 'b'"],
  [z.literal('a'), 'c', "it = 'c': 'a'"],
  [z.number().multipleOf(5), 7, 'it = 7: a multiple of 5'],
  [z.int({ error: 'what the schema says itself' }), 'x', "it = 'x': what the schema says itself"],
  [z.strictObject({}), { b: 1 }, 'b: no such field'],
])('a mistake is told in words of what is allowed: %#', (schema, value, expected) => {
  expect(said(schema, value)).toEqual([expected])
})
