import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { leafPagesOf, openedJournal, saltOf, spoilPages, writeJournal } from '../../../test/support/journalFiles.ts'
import { checkJournal } from './checkJournal.ts'
import { defineRowSum, sumOf } from './sums.ts'

const folder = mkdtempSync(join(tmpdir(), 'check-journal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const whole = join(folder, 'whole.db')
writeJournal(whole, 60)
let files = 0
function copied(): string {
  const file = join(folder, `${files++}.db`)
  copyFileSync(whole, file)
  return file
}

/** A journal with something done to it that a bot does not do. */
/** A journal in which something is not as a bot leaves it, though each row has the checksum of what stands there. */
function spoiled(sql: string): string {
  const file = altered(sql)
  using db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  defineRowSum(db)
  for (const table of ['custody', 'intents', 'swaps', 'fills'] as const) db.exec(`UPDATE ${table} SET sum = ${sumOf(table)}`)
  return file
}

/** The same by a hand that knows of no checksums. */
function altered(sql: string): string {
  const file = copied()
  using db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  db.exec(sql)
  return file
}

const found = (file: string) => checkJournal(file).map(({ table, row, message }) => [table, row, message] as const)
const saltsShown = (file: string) => checkJournal(file).filter(({ message }) => message.includes('salt-of-the-test'))

describe('checkJournal', () => {
  test.each([
    ['custody', 'UPDATE custody SET at = at + 1 WHERE contest_id = (SELECT max(contest_id) FROM custody)'],
    ['custody', "UPDATE custody SET status = 'revealed' WHERE status = 'committed'"],
    ['intents', "UPDATE intents SET stake = '2000000' WHERE key = '10:ladder:0'"],
    ['intents', "UPDATE intents SET made = 'another' WHERE key = '20:ladder:0'"],
    ['swaps', "UPDATE swaps SET min_out = '5' WHERE key = '10:crossover:0'"],
    ['swaps', "UPDATE swaps SET sum = NULL WHERE key = '10:crossover:0'"],
    ['fills', "UPDATE fills SET received = '7' WHERE key = '20:crossover:0'"],
  ])('finds a row of %s that nothing else contradicts: %s', (table, sql) => {
    const findings = found(altered(sql)).filter(([, , message]) => message.includes('its checksum does not fit'))
    expect(findings.length).toBeGreaterThan(0)
    expect(new Set(findings.map(([of]) => of))).toEqual(new Set([table]))
  })

  test('finds nothing in what a bot leaves behind', () => {
    expect(checkJournal(whole)).toEqual([])
    expect(checkJournal(whole, 'agent')).toEqual([])
  })

  test('takes a file without anything in it for no whole journal', () => {
    const file = join(folder, 'empty.db')
    writeFileSync(file, '')
    expect(found(file)).toEqual([['', '', expect.stringMatching(/it is empty, 0 bytes: put a copy of it back/)]])
    expect(readFileSync(file)).toHaveLength(0)
  })

  test.each<[name: string, sql: string, table: string, row: string, message: RegExp]>([
    ['an event that is no JSON', "UPDATE events SET raw = '{' WHERE position = 7", 'events', '7', /raw is not JSON/],
    ['an event that is missing', 'DELETE FROM events WHERE position = 7', 'events', '8', /the event before it is 6/],
    ['an event out of order', 'UPDATE events SET n = 1 WHERE position = 7', 'events', '7', /came with input 1, after one of input 6/],
    [
      'an event twice',
      'UPDATE events SET raw = (SELECT raw FROM events WHERE position = 3) WHERE position = 7',
      'events',
      '7',
      /is event 3 once more, and counts twice/,
    ],
    [
      'a cursor of another event',
      "UPDATE meta SET value = (SELECT json_extract(raw, '$.id') FROM events WHERE position = 3) WHERE key = 'cursor'",
      'meta',
      'cursor',
      /not that of the last event/,
    ],
    ['no cursor', "DELETE FROM meta WHERE key = 'cursor'", 'meta', 'cursor', /it is missing/],
    ['no owner', "DELETE FROM meta WHERE key = 'agentId'", 'meta', 'agentId', /whose journal it is is not known/],
    [
      'an action that is none',
      'UPDATE intents SET action = \'{"type":"fly"}\' WHERE key = \'10:ladder:0\'',
      'intents',
      '10:ladder:0',
      /action is not an action/,
    ],
    [
      'an action that is no JSON',
      "UPDATE intents SET action = '{' WHERE key = '10:ladder:0'",
      'intents',
      '10:ladder:0',
      /action is not an action/,
    ],
    [
      'a stake that is no amount',
      "UPDATE intents SET stake = '1.5' WHERE key = '10:ladder:0'",
      'intents',
      '10:ladder:0',
      /stake is not a whole number/,
    ],
    ['a status that is none', "UPDATE intents SET status = 'lost' WHERE key = '10:ladder:0'", 'intents', '10:ladder:0', /status is none/],
    [
      'a swap without amounts',
      "UPDATE swaps SET given = '' WHERE key = '10:crossover:0'",
      'swaps',
      '10:crossover:0',
      /given is not a whole number/,
    ],
    [
      'a swap nobody asked for',
      "UPDATE swaps SET key = '11:crossover:0' WHERE key = '10:crossover:0'",
      'swaps',
      '11:crossover:0',
      /no intent asks for it/,
    ],
    [
      'a swap of an entry',
      "UPDATE swaps SET key = '10:ladder:0' WHERE key = '10:crossover:0'",
      'swaps',
      '10:ladder:0',
      /no intent asks for it/,
    ],
    [
      'a fill of a swap under way',
      "UPDATE intents SET status = 'unknown' WHERE key = '20:crossover:0'",
      'fills',
      '20:crossover:0',
      /its intent is not filled/,
    ],
    [
      'a swap filled with nothing',
      "DELETE FROM fills WHERE key = '20:crossover:0'",
      'fills',
      '20:crossover:0',
      /what came of it is missing/,
    ],
    [
      'a fill of no source',
      "UPDATE fills SET source = 'rumour' WHERE key = '20:crossover:0'",
      'fills',
      '20:crossover:0',
      /source is none of chain, quote/,
    ],
  ])('finds %s', (_name, sql, table, row, message) => {
    const file = spoiled(sql)
    expect(found(file)).toContainEqual([table, row, expect.stringMatching(message)])
    for (const [ofTable, ofRow, said] of found(file)) {
      expect(said).toContain(file)
      if (ofTable !== '') expect(said).toContain(`table ${ofTable}, row ${ofRow}`)
    }
  })

  test.each([
    ['another price', "price = '188'", /do not give the commitment/],
    ['another entry', "entry_id = 'e'", /do not give the commitment/],
    ['another salt', `salt = '${saltOf(77)}'`, /do not give the commitment/],
    ['half a salt', 'salt = substr(salt, 1, 9)', /price or salt is not one/],
    ['a price that is none', "price = 'dear'", /price or salt is not one/],
    ['a status that is none', "status = 'half'", /status is none/],
  ])('finds a prediction with %s, and shows no salt', (_name, change, message) => {
    const file = spoiled(`UPDATE custody SET ${change} WHERE contest_id = (SELECT min(contest_id) FROM custody)`)
    expect(found(file)).toEqual([['custody', expect.any(String), expect.stringMatching(message)]])
    expect(saltsShown(file)).toEqual([])
  })

  test('a page’s own cursor, which is no event’s, is none of its business', () => {
    expect(checkJournal(spoiled("UPDATE meta SET value = 'page-2' WHERE key = 'cursor'"))).toEqual([])
  })

  test('of many of a kind it lists twenty, and says that there are more', () => {
    const faults = found(spoiled("UPDATE events SET raw = '{' WHERE position <= 50")).filter(([, , said]) => /JSON|more like/.test(said))
    expect(faults).toHaveLength(21)
    expect(faults.at(-1)?.[2]).toContain('there are more like these')
  })

  test.each(['events', 'custody', 'intents', 'sqlite_autoindex_custody_1'])('finds a spoiled page of %s', (table) => {
    const file = copied()
    spoilPages(file, leafPagesOf(file, table).at(-1) ?? 0)
    expect(checkJournal(file)[0]?.message).toMatch(/SQLite finds: .*logs repair/)
    expect(saltsShown(file)).toEqual([])
  })

  test('says of a file that is no database any more what to do', () => {
    const file = copied()
    spoilPages(file, 1)
    expect(found(file)).toEqual([
      ['', '', expect.stringMatching(/cannot be opened as a journal \(file is not a database\): .*logs repair/)],
    ])
  })

  test('leaves everything as it was: a closed journal, and one with the log of a bot that was killed', () => {
    const { journal } = openedJournal(whole)
    const killed = copied()
    copyFileSync(`${whole}-wal`, `${killed}-wal`)
    journal.close()
    for (const file of [whole, killed]) {
      const before = stateOf(file)
      checkJournal(file)
      expect(stateOf(file)).toEqual(before)
    }
  })

  test('one that a bot holds is left alone, and it says who that is', () => {
    const file = copied()
    const { journal } = openedJournal(file)
    expect(() => checkJournal(file)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_IN_USE', message: expect.stringContaining(`held by process ${process.pid} (since `) }),
    )
    journal.close()
    expect(checkJournal(file)).toEqual([])
  })

  test('of another agent, or of a newer version, it is not judged', () => {
    expect(() => checkJournal(whole, 'other')).toThrow(expect.objectContaining({ code: 'JOURNAL_OF_ANOTHER_AGENT' }))
    expect(() => checkJournal(spoiled('PRAGMA user_version = 1000'))).toThrow(expect.objectContaining({ code: 'JOURNAL_NEWER' }))
  })

  test('the database of something else is no journal, whatever its version', () => {
    expect(() => checkJournal(spoiled('PRAGMA application_id = 1; PRAGMA user_version = 1000'))).toThrow(
      expect.objectContaining({ code: 'JOURNAL_UNREADABLE', message: expect.stringContaining('a database of something else') }),
    )
  })
})

/** Every file beside it, and what is in them. */
function stateOf(file: string): Record<string, string> {
  const own = readdirSync(folder).filter((name) => name.startsWith(basename(file)))
  return Object.fromEntries(own.map((name) => [name, readFileSync(join(folder, name)).toString('hex')]))
}
