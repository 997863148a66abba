import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { shapesSchema } from '../contract/shapes/shapes.ts'
import { CornermanError } from '../core/error.ts'
import { type ContestServiceConfig, contestService } from '../strategy/config.ts'
import { givenShapes, readShapes, shapesFileOf, shapesText, writeShapes } from './shapesFile.ts'

const folder = mkdtempSync(join(tmpdir(), 'shapes-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const config = join(folder, 'bots.config.ts')
const file = join(folder, 'service.shapes.json')
const URL = 'https://contests.example.com/api'

beforeEach(() => {
  for (const name of [file, `${file}.prev`]) rmSync(name, { force: true })
})

const write = (json: unknown) => writeFileSync(file, typeof json === 'string' ? json : JSON.stringify(json))
const given = (service: Partial<ContestServiceConfig> = {}) =>
  givenShapes(contestService({ url: URL, paths: {}, ...service }) as ContestServiceConfig, config)

/** What it is refused with, without the folder. */
function refused(read: () => unknown): { code: string; message: string } {
  try {
    read()
  } catch (thrown) {
    if (thrown instanceof CornermanError) return { code: thrown.code, message: thrown.message.replaceAll(`${folder}/`, '') }
    throw thrown
  }
  throw new Error('it was taken')
}

describe('where a mapping is from', () => {
  test('nowhere: there is none', () => {
    expect(given()).toBeUndefined()
  })

  test('the file beside the config, or the one that it names', () => {
    write({ version: 1, pieces: { round: 'state:n' } })
    expect(given()).toEqual({ shapes: { version: 1, pieces: { round: 'state:n' } }, from: [file], isWhole: true })
    const named = contestService({ url: URL, shapes: 'deeper/live.shapes.json' }) as ContestServiceConfig
    expect(shapesFileOf(named, config)).toBe(join(folder, 'deeper/live.shapes.json'))
  })

  test('the config, laid over the file piece by piece, list by list and word by word', () => {
    write({
      ...{ version: 1, service: URL, own: { at: 'you' }, lists: { mine: 'rows', open: 'items' } },
      ...{ pieces: { turn: 'state:a', round: 'state:n' }, words: { ticket: { waiting: ['W'] }, turn: ['me'] } },
    })
    const shapes = shapesSchema.parse({
      ...{ version: 1, own: { at: 'self' }, lists: { open: '' } },
      ...{ pieces: { turn: { at: 'state:b', is: 'handle' } }, words: { turn: ['us'] } },
    })
    expect(given({ shapes })).toEqual({
      shapes: {
        ...{ version: 1, service: URL, own: { at: 'self' }, lists: { mine: 'rows', open: '' } },
        ...{ pieces: { turn: { at: 'state:b', is: 'handle' }, round: 'state:n' }, words: { ticket: { waiting: ['W'] }, turn: ['us'] } },
      },
      from: [file, `service.shapes of ${config}`],
      isWhole: true,
    })
  })

  test('paths of before, as far as one says one place', () => {
    write({ version: 1, pieces: { round: 'state:n' } })
    const paths = {
      entryId: ['seat.id'],
      turnEntryId: ['turn.entry'],
      available: ['left', 'pool'],
      signature: ['sig'],
      token: ['rows.0.mint'],
    }
    expect(given({ paths })).toEqual({
      shapes: {
        version: 1,
        pieces: { round: 'state:n', entryId: 'contest:seat.id', turn: { at: 'state:turn.entry', is: 'entryId' } },
      },
      from: [file, `service.paths of ${config}`],
      isWhole: true,
    })
    expect(given({ paths: { yourTurn: ['mine'], turnEntryId: ['turn.entry'] } })?.shapes.pieces).toEqual({ round: 'state:n' })
  })

  test('paths alone are no whole mapping: the rest is looked for', () => {
    const paths = { entryId: ['seat.id'] }
    const shapes = { version: 1, pieces: { entryId: 'contest:seat.id' } }
    expect(given({ paths })).toEqual({ shapes, from: [`service.paths of ${config}`], isWhole: false })
  })
})

describe('is refused', () => {
  test('a named file that is not there', () => {
    expect(refused(() => given({ shapes: 'live.shapes.json' }))).toEqual({
      code: 'SHAPES_MISSING',
      message: "bots.config.ts: service.shapes = 'live.shapes.json': there is no such file; probe --write makes one",
    })
  })

  test('a field in a path and in the file', () => {
    write({ version: 1, pieces: { pool: 'state:left' } })
    expect(refused(() => given({ paths: { available: ['pool'] } }))).toEqual({
      code: 'CONFIG_INVALID',
      message: 'service.paths.available: service.shapes.json says in pieces.pool where it is: leave one of the two out',
    })
  })

  test('a mapping of another service, whichever of the two says so', () => {
    const service = 'https://other.example.com'
    const message = `the mapping was made for ${service}, and the config plays at ${URL}: probe this service, or name its mapping in service.shapes`
    expect(refused(() => given({ shapes: { version: 1, service } }))).toEqual({
      code: 'SHAPES_OF_ANOTHER',
      message: `bots.config.ts: ${message}`,
    })
    write({ version: 1, service })
    expect(refused(() => given())).toEqual({ code: 'SHAPES_OF_ANOTHER', message: `service.shapes.json: ${message}` })
  })

  test.each([
    ['no JSON', '{"version": 1,', /^service\.shapes\.json: is no JSON: .*JSON/],
    ['a list', [], 'service.shapes.json: the mapping = []: an object, { … }'],
    ['a text', '"shapes"', "service.shapes.json: the mapping = 'shapes': an object, { … }"],
    ['no version', { pieces: {} }, 'service.shapes.json: version is missing: 1'],
    [
      'a newer version',
      { version: 2, stages: [] },
      'service.shapes.json: version = 2: this release reads version 1 and older; update the project, or probe anew',
    ],
    [
      'a piece that there is not',
      { version: 1, pieces: { turns: 'state:turn' } },
      'service.shapes.json: pieces.turns: no such piece; check its spelling against docs/shapes.md',
    ],
    [
      'a place without its answer',
      { version: 1, pieces: { turn: 'turn.userId' } },
      "service.shapes.json: pieces.turn = 'turn.userId': such as { at: 'state:turn.userId', is: 'userId' }; is is flag, entryId, agentId, userId, handle, seat or word",
    ],
    [
      'a form that is none',
      { version: 1, pieces: { turn: { at: 'state:turn', is: 'player' } } },
      "service.shapes.json: pieces.turn = { at: 'state:turn', is: 'player' }: such as { at: 'state:turn.userId', is: 'userId' }; is is flag, entryId, agentId, userId, handle, seat or word",
    ],
    [
      'an index',
      { version: 1, pieces: { entryId: 'contest:entries.0.id' } },
      'service.shapes.json: pieces.entryId = \'contest:entries.0.id\': "entries.0.id": an index names whoever sits there; say rows and by',
    ],
    [
      'an index in a form',
      { version: 1, pieces: { turn: { at: 'state:rows[0].id', is: 'entryId' } }, lists: { mine: 'data.1' } },
      [
        'service.shapes.json: lists.mine = \'data.1\': "data.1": an index names whoever sits there; say rows and by',
        'service.shapes.json: pieces.turn.at = \'state:rows[0].id\': "rows[0].id": an index names whoever sits there; say rows and by',
      ].join('\n'),
    ],
    [
      'a word that means nothing',
      { version: 1, words: { ticket: { lost: ['LOST'] } } },
      'service.shapes.json: words.ticket.lost: no such meaning; check its spelling against docs/shapes.md',
    ],
  ])('%s, with the file, the piece, the value and what is allowed', (_what, json, message) => {
    write(json)
    const { code, message: said } = refused(() => given())
    expect(code).toBe('SHAPES_INVALID')
    if (typeof message === 'string') expect(said).toBe(message)
    else expect(said).toMatch(message)
  })
})

test('the address may end in a slash, there and here', () => {
  write({ version: 1, service: `${URL}/` })
  expect(given()?.shapes.service).toBe(`${URL}/`)
  write({ version: 1, service: URL })
  expect(given({ url: `${URL}/` })?.shapes.service).toBe(URL)
})

test('is written for one user alone, in place of the one before, which is kept', () => {
  writeShapes(file, { version: 1, pieces: { round: 'state:n' } })
  expect(existsSync(`${file}.prev`)).toBe(false)
  const before = readFileSync(file, 'utf8')
  writeShapes(file, { version: 1, service: URL })
  expect(readFileSync(`${file}.prev`, 'utf8')).toBe(before)
  expect(readShapes(file)).toEqual({ version: 1, service: URL })
  expect(readFileSync(file, 'utf8')).toBe(shapesText({ version: 1, service: URL }))
  for (const name of [file, `${file}.prev`]) expect(statSync(name).mode & 0o777).toBe(0o600)
  expect(existsSync(`${file}.new`)).toBe(false)
})
