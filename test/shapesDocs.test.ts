import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { MODES, type Mode } from '../src/contract/modes.ts'
import type { ProcedureName } from '../src/contract/procedures.ts'
import { nameOf, needsOf, PIECES, type Shapes, shapesSchema } from '../src/contract/shapes/shapes.ts'
import { Translator } from '../src/contract/shapes/translator.ts'
import { fencesOf } from './support/docs/fences.ts'

// docs/shapes.md names every key of a mapping, and its examples are mappings that read what they say.

const page = readFileSync(new URL('../docs/shapes.md', import.meta.url), 'utf8')
const blocksOf = (name: string) =>
  fencesOf(name, readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
    .filter(({ language }) => language === 'json')
    .map(({ line, code }) => ({ page: name, line, json: z.looseObject({}).parse(JSON.parse(code)) }))
const blocks = [...blocksOf('docs/shapes.md'), ...blocksOf('docs/guide/from-idea-to-live.md')]
const mappings = blocks.filter(({ json }) => 'version' in json)
const named = new Set([...page.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code))

/** The fields of an object's schema, whatever may be left out. */
function keysOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodOptional) return keysOf(schema.def.innerType)
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  return schema instanceof z.ZodRecord ? keysOf(schema.def.keyType) : schema instanceof z.ZodEnum ? schema.options.map(String) : []
}
const { shape } = shapesSchema
const inside = (part: 'lists' | 'records' | 'words') => keysOf(shape[part]).map((key) => `${part}.${key}`)
const words = shape.words.unwrap().shape

describe('docs/shapes.md', () => {
  test.each(mappings.map(({ page: name, line, json }) => [`${name}:${line}`, json] as const))('%s is a mapping', (_where, json) => {
    expect(shapesSchema.safeParse(json).error?.issues ?? []).toEqual([])
  })

  test('has mappings of every form', () => {
    expect(mappings.length).toBeGreaterThan(12)
    const pieces = mappings.flatMap(({ json }) => Object.values(shapesSchema.parse(json).pieces ?? {}))
    const forms = new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? ['place'] : Object.keys(piece ?? {}))))
    expect([...forms].toSorted()).toEqual(
      ['place', 'at', 'by', 'as', 'unit', 'is', 'own', 'token', 'free', 'minus', 'flags', 'choose'].toSorted(),
    )
    const owns = new Set(mappings.flatMap(({ json }) => Object.keys(shapesSchema.parse(json).own ?? {}).join()))
    expect([...owns].toSorted()).toEqual(['', 'at', 'at,rows,by', 'rows,by', 'rows,seat'].toSorted())
  })

  test('names every key, every piece and every word', () => {
    const keys = [...Object.keys(shape), ...inside('lists'), ...inside('records'), ...inside('words')]
    const meanings = (['ticket', 'contest', 'phase', 'side', 'refusal'] as const).flatMap((group) => keysOf(words[group]))
    expect(keys.length).toBeGreaterThan(18)
    expect(meanings.length).toBeGreaterThan(24)
    expect([...keys, ...PIECES, ...meanings].filter((name) => !named.has(name))).toEqual([])
  })

  test('says what each mode needs', () => {
    const [, table = ''] = page.split('## What each mode needs')
    const rows = table.split('\n').filter((line) => line.startsWith('| '))
    const saidOf = (name: string) => rows.filter((row) => row.split('|')[1]?.includes(name)).join('\n')
    const lacks = (mode: Mode) =>
      needsOf(mode)
        .flatMap((need) => nameOf(need).split(' or '))
        .map((need) => need.replace('phase.', ''))
        .filter((need) => !`${saidOf('every mode')}${saidOf(`\`${mode}\``)}`.includes(`\`${need}\``))
    expect(MODES.flatMap((mode) => lacks(mode).map((need) => `${mode}: ${need}`))).toEqual([])
  })
})

describe('the example', () => {
  const [, example = ''] = page.split('## An example')
  const answers = [...(example.split('## Paths')[0] ?? '').matchAll(/`(agent\.[\w.]+)`[^\n]*\n\n```json\n([^`]+)```/g)].map(
    ([, procedure = '', code = '']) => ({ procedure: procedure as ProcedureName, json: JSON.parse(code) as unknown }),
  )
  const whole = mappings.find(({ json }) => 'service' in json)
  const contestId = 'c0ffee00-1111-4222-8333-444455556666'
  const now = Date.parse('2026-01-02T03:04:06.000Z')

  /** What the example's mapping makes of its answers, in their order. */
  function read() {
    const translator = new Translator(shapesSchema.parse(whole?.json) as Shapes)
    return answers.map(({ procedure, json }) => {
      const answer = translator.answer(procedure, { contestId }, json, now)
      return { procedure, json: answer.ok ? answer.json : undefined, gone: answer.departures.map(({ piece }) => piece) }
    })
  }

  test('is read by its mapping', () => {
    const [, tickets, mine, contest, draft, prediction, open] = read()
    expect(tickets?.json).toMatchObject([{ ticketId: expect.any(String), status: 'queued', contestId: null }])
    expect(mine?.json).toMatchObject([{ contestId, status: 'live', mode: 'draft_basket', durationSec: 300 }])
    expect(contest?.json).toMatchObject({
      contestId,
      startsAt: '2026-01-02T03:04:06.000Z',
      you: { entryId: expect.any(String), ready: true, score: null },
    })
    expect(draft?.json).toMatchObject({
      yourTurn: true,
      available: ['So11111111111111111111111111111111111111112'],
      theirs: ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
      pickBy: Date.parse('2026-01-02T03:04:13.500Z'),
    })
    expect(prediction?.json).toMatchObject({
      phase: 'commit',
      commitBy: Date.parse('2026-01-02T03:04:46.000Z'),
      revealFrom: null,
      committed: false,
    })
    expect(open?.json).toMatchObject([{ mode: 'up_down', stake: '500000', entries: [{ side: 'UP' }] }])
    expect([tickets, contest, open].flatMap((one) => one?.gone)).toEqual([])
  })
})
