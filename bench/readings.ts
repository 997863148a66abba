import { modeStateSchema } from '../src/contract/records.ts'
import { sandboxShapes } from '../src/contract/shapes/sandboxShapes.ts'
import { shapesSchema } from '../src/contract/shapes/shapes.ts'
import { Translator } from '../src/contract/shapes/translator.ts'
import { emptySeat } from '../src/pipeline/books/books.ts'
import { readModeState } from '../src/pipeline/books/modeState.ts'

// What it costs to read a draft's state: as it comes, by the sandbox's mapping, and by one of another service.
// npm exec -- node bench/readings.ts

const READINGS = 300_000
const ROUNDS = 5
const MINTS = Array.from({ length: 12 }, (_, index) => `So1111111111111111111111111111111111111111${'ABCDEFGHJKLM'[index]}`)
const CONTEST = 'c0000000-0000-4000-8000-000000000001'
const state = {
  contestId: CONTEST,
  mode: 'draft_basket',
  phase: 'draft',
  entryId: 'e1',
  round: 2,
  yourTurn: true,
  turn: { entryId: 'e1', round: 2 },
  pickBy: '2026-01-01T00:00:08.000Z',
  available: MINTS,
  mine: MINTS.slice(0, 2),
  theirs: MINTS.slice(2, 4),
}
const other = {
  board: {
    act: 'PICKING',
    lap: 2,
    drafter: 'u1',
    hourglassMs: 8000,
    coins: Object.fromEntries(MINTS.map((mint, index) => [mint, { free: index > 2 }])),
    seats: [
      { who: 'u1', slip: 'e1', basket: MINTS.slice(0, 2) },
      { who: 'u2', basket: MINTS.slice(2, 4) },
    ],
  },
}
const others = shapesSchema.parse({
  version: 1,
  records: { state: 'board' },
  own: { rows: 'seats', by: { who: 'userId' } },
  pieces: {
    userId: 'me:agent.id',
    entryId: 'state:seats[own].slip',
    phase: 'state:act',
    turn: { at: 'state:drafter', is: 'userId' },
    pool: { at: 'state:coins', token: '$key', free: { at: 'free', is: true } },
    mine: 'state:seats[own].basket',
    pickBy: { at: 'state:hourglassMs', as: 'leftMs' },
    round: 'state:lap',
  },
  words: { phase: { draft: ['PICKING'] } },
})
const seat = { ...emptySeat(CONTEST), mode: 'draft_basket', phase: 'live' as const }
const now = Date.parse('2026-01-01T00:00:00Z')

function timed(read: () => unknown): number {
  const startedAt = performance.now()
  for (let reading = 0; reading < READINGS; reading++) read()
  return ((performance.now() - startedAt) * 1000) / READINGS
}

const reader = (translator: Translator | undefined, json: unknown) => () => {
  const translated = translator?.answer('agent.modes.state', { contestId: CONTEST }, json, now)
  return readModeState(modeStateSchema.parse(translated === undefined ? json : translated.ok ? translated.json : {}), seat, {
    now,
    paths: {},
  })
}
const translatorOf = (shapes: typeof others) => {
  const translator = new Translator(shapes)
  translator.answer('agent.me', null, { agent: { id: 'u1' } }, now)
  return translator
}
const kinds = {
  plain: reader(undefined, state),
  sandboxShapes: reader(translatorOf(sandboxShapes), state),
  other: reader(translatorOf(others), other),
}
const figures: Record<string, number[]> = { plain: [], sandboxShapes: [], other: [] }
for (let round = 0; round < ROUNDS; round++) for (const [kind, read] of Object.entries(kinds)) figures[kind]?.push(timed(read))
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
for (const [kind, values] of Object.entries(figures))
  console.log(kind.padEnd(14), `${median(values).toFixed(2)} µs`, `${(median(values) / median(figures.plain ?? [])).toFixed(2)} of plain`)
