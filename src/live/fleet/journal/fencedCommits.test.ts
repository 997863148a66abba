import { describe, expect, test } from 'vitest'
import { InDoubt } from '../database/fleetConnection.ts'
import type { Statements } from '../database/sharedConnections.ts'
import { FencedCommits } from './fencedCommits.ts'
import type { JournalPlace } from './journalPlace.ts'
import { chainAfter } from './recordSeal.ts'

// A holder does not get the answer to a commit. Against a real database: test/fleet/fence.test.ts.

const BODY = Buffer.from('a record')
const BEFORE: JournalPlace = { seq: 4, chain: Buffer.from('chain before') }
const AFTER: JournalPlace = { seq: 5, chain: chainAfter(BEFORE.chain, BODY) }
const MOST_STATEMENTS = 10

/** Answer of the bot's row to the next statement; `fenced`: another host has the bot. */
type Found = JournalPlace | 'fenced'

/** A database whose commits are answered or in doubt, and that says where the journal stands. */
class ScriptedDatabase implements Statements {
  readonly #commits: ('taken' | 'in doubt')[]
  readonly #found: Found
  readonly #standbys: string
  commits = 0
  #statements = 0

  constructor(commits: readonly ('taken' | 'in doubt')[], found: Found, standbys = '*') {
    this.#commits = [...commits]
    this.#found = found
    this.#standbys = standbys
  }

  async ask<R extends object>(text: string): Promise<R[]> {
    if (++this.#statements > MOST_STATEMENTS) throw new Error('it is tried without an end')
    const rest = { sync: 'on', names: this.#standbys }
    if (text.includes('touched = touched + 1'))
      return (this.#found === 'fenced' ? [] : [{ ...rest, seq: String(this.#found.seq), chain: this.#found.chain }]) as R[]
    this.commits += 1
    if (this.#commits.shift() === 'in doubt') throw new InDoubt('the connection was lost')
    return [{ ...rest, n: 1 }] as unknown as R[]
  }

  close(): void {}
}

const commitTo = async (database: ScriptedDatabase) => {
  const commits = new FencedCommits(database, { bot: 'alice', epoch: 1, run: 'a run' }, BEFORE)
  return { commits, result: await commits.commit([BODY]) }
}

describe('a commit whose answer was lost', () => {
  test('that stands is kept, and not made again', async () => {
    const database = new ScriptedDatabase(['in doubt'], AFTER)
    const { commits, result } = await commitTo(database)
    expect([result, commits.place, database.commits]).toEqual(['kept', AFTER, 1])
  })

  test('of which nothing stands is made again', async () => {
    const database = new ScriptedDatabase(['in doubt', 'taken'], BEFORE)
    const { commits, result } = await commitTo(database)
    expect([result, commits.place, database.commits]).toEqual(['kept', AFTER, 2])
  })

  test('to a bot that is another host’s is fenced', async () => {
    expect((await commitTo(new ScriptedDatabase(['in doubt'], 'fenced'))).result).toBe('fenced')
  })

  test.each([
    ['behind what was answered for', { seq: 3, chain: BEFORE.chain }],
    ['as far as before, with another past', { seq: 4, chain: Buffer.from('another chain') }],
    ['as far as the commit, with another record', { seq: 5, chain: Buffer.from('another chain') }],
    ['further on than anybody else could have written', { seq: 6, chain: AFTER.chain }],
  ])('to a journal that is %s has found a database that was set back', async (_what, found) => {
    const database = new ScriptedDatabase(['in doubt'], found)
    await expect(commitTo(database)).rejects.toMatchObject({
      code: 'FLEET_ROLLED_BACK',
      details: { bot: 'alice', expected: 5, found: found.seq },
    })
    expect(database.commits).toBe(1)
  })
})

test.each([
  ['*', true],
  ['ANY 1 (db2, db3)', true],
  ['', false],
  ['  ', false],
])('whether a commit has waited for a standby is known by its own answer, of synchronous_standby_names %j', async (standbys, has) => {
  expect((await commitTo(new ScriptedDatabase(['taken'], BEFORE, standbys))).commits.hasStandby).toBe(has)
  expect((await commitTo(new ScriptedDatabase(['in doubt'], AFTER, standbys))).commits.hasStandby).toBe(has)
})
