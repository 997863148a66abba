import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AgentEvent, Command } from '../../contests/index.ts'
import { uuidv7 } from '../../core/ids.ts'
import { createWallet } from '../createWallet.ts'
import { openDatabase, SCHEMA_VERSION } from './openDatabase.ts'
import { type SandboxIdentity, SandboxStore } from './sandboxStore.ts'

const IDENTITY: SandboxIdentity = { seed: 7, rakeBps: 500, prices: 'abc' }
const START_MS = Date.parse('2025-01-01T00:00:00Z')

let folder = ''
let file = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  file = join(folder, 'sandbox.db')
})

const open = (identity = IDENTITY) => new SandboxStore(file, identity, START_MS)
const deposit = (amount: bigint): Command => ({ type: 'deposit', agentId: 'a', amount, now: START_MS })

let made = 0
function event(agentId: string): AgentEvent {
  made++
  return {
    id: uuidv7(START_MS, made, 'test'),
    agentId,
    type: 'ticket.expired',
    data: { ticketId: `t${made}` },
    createdAt: '2025-01-01T00:00:00.000Z',
  }
}

describe('openDatabase', () => {
  test('writes so that an acknowledged command survives the loss of power', () => {
    const database = openDatabase(file)
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('synchronous')).toBe(2) // FULL
    expect(pragma('busy_timeout')).toBe(1000)
    expect(pragma('foreign_keys')).toBe(1)
    expect(pragma('locking_mode')).toBe('exclusive')
    expect(pragma('user_version')).toBe(SCHEMA_VERSION)
    database.close()
  })

  test('refuses a newer schema, and leaves the file as it is', () => {
    openDatabase(file).close()
    const database = new DatabaseSync(file)
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`)
    database.close()
    const before = readFileSync(file)
    expect(() => openDatabase(file)).toThrow(
      expect.objectContaining({
        code: 'SANDBOX_DB_VERSION',
        message: expect.stringMatching(/has schema version \d+, .* reads version \d+: update/),
      }),
    )
    expect(readFileSync(file)).toEqual(before)
  })

  test('refuses a database of something else, a file that is none, and a folder that is not there', () => {
    const database = new DatabaseSync(file)
    database.exec('CREATE TABLE dogs (name TEXT)')
    database.close()
    const before = readFileSync(file)
    expect(() => openDatabase(file)).toThrow(expect.objectContaining({ code: 'SANDBOX_DB_FOREIGN' }))
    expect(readFileSync(file), 'it is somebody else’s').toEqual(before)
    expect(() => openDatabase(import.meta.filename)).toThrow(expect.objectContaining({ code: 'SANDBOX_DB_UNREADABLE' }))
    expect(() => openDatabase(join(folder, 'none', 'x.db'))).toThrow(expect.objectContaining({ code: 'SANDBOX_DB_UNREADABLE' }))
  })

  test('is held by one sandbox at a time', () => {
    const first = openDatabase(file)
    expect(() => openDatabase(file)).toThrow(expect.objectContaining({ code: 'SANDBOX_DB_IN_USE', message: expect.stringContaining(file) }))
    first.close()
    openDatabase(file).close()
  })
})

describe('SandboxStore', () => {
  test('keeps commands and events, in order and exact', () => {
    const store = open()
    const events = [event('a'), event('b')]
    store.append(deposit(2n ** 70n), events)
    store.append({ ...deposit(1n), prices: [{ mint: 'm', at: 1, price: '1.5' }] }, [])
    store.close()

    const again = open()
    expect([...again.commands()]).toEqual([
      { seq: 1, command: deposit(2n ** 70n) },
      { seq: 2, command: { ...deposit(1n), prices: [{ mint: 'm', at: 1, price: '1.5' }] } },
    ])
    expect([...again.commands(1)].map(({ seq }) => seq)).toEqual([2])
    expect([...again.eventBodies()].map(({ commandSeq, body }) => [commandSeq, (JSON.parse(body) as { id: string }).id])).toEqual(
      events.map(({ id }) => [1, id]),
    )
    expect(again.lastSeq).toBe(2)
    again.close()
  })

  test('writes a command with all its events or not at all', () => {
    const store = open()
    const twice = event('a')
    expect(() => store.append(deposit(1n), [twice, twice])).toThrow(/UNIQUE/)
    expect([...store.commands()]).toEqual([])
    expect([...store.eventBodies()]).toEqual([])
    expect(store.lastSeq).toBe(0)
    store.append(deposit(1n), [twice])
    expect(store.lastSeq).toBe(1)
    store.close()
  })

  test('writes a delivery with its event, or neither', () => {
    const store = open()
    const [one, two] = [event('a'), event('a')]
    const deliverAt = new Map([[one.id, 5]])
    expect(() => store.append(deposit(1n), [one, one], { deliverAt })).toThrow(/UNIQUE/)
    expect(store.webhooks.next('a', 9)).toEqual([])
    store.append(deposit(1n), [two, one], { deliverAt })
    expect(store.webhooks.next('a', 9)).toMatchObject([{ eventId: one.id, eventSeq: 2, dueAtMs: 5, attempts: 0 }])
    store.close()
  })

  test("pages through an agent's own events", () => {
    const store = open()
    const pageOf = (...asked: Parameters<SandboxStore['eventsAfter']>): unknown => {
      const page = store.eventsAfter(...asked)
      expect(page?.toText(), 'the text is what anybody else would write').toBe(JSON.stringify(page))
      return page?.toJSON()
    }
    expect(pageOf('a', null, 10)).toEqual({ events: [], cursor: null })
    expect(store.newestEventId('a')).toBeNull()
    const [one, other, two, three] = [event('a'), event('b'), event('a'), event('a')] as const
    store.append(deposit(1n), [one, other, two])
    store.append(deposit(1n), [three])
    const wire = ({ id, type, data, createdAt }: AgentEvent) => ({ id, type, data, createdAt })

    expect(pageOf('a', null, 2)).toEqual({ events: [wire(one), wire(two)], cursor: two.id })
    expect(pageOf('a', two.id, 2)).toEqual({ events: [wire(three)], cursor: three.id })
    expect(pageOf('a', three.id, 2)).toEqual({ events: [], cursor: three.id })
    expect(store.newestEventId('a')).toBe(three.id)
    expect(store.eventsAfter('a', other.id, 2)).toBeUndefined()
    expect(store.eventsAfter('a', uuidv7(START_MS, 999, 'none'), 2)).toBeUndefined()
    store.close()
  })

  test('keeps the beginning, and refuses what another sandbox was made with', () => {
    open().close()
    const again = new SandboxStore(file, IDENTITY, START_MS + 5000)
    expect(again.epochMs).toBe(START_MS)
    again.close()
    expect(() => open({ ...IDENTITY, seed: 8 })).toThrow(
      /was made with seed 7 and is asked for with 8: use the same seed, or name another file/,
    )
    expect(() => open({ ...IDENTITY, prices: 'abd' })).toThrow(
      expect.objectContaining({ code: 'SANDBOX_DB_OTHER', message: expect.stringContaining('prices abc') }),
    )
    expect(() => open({ ...IDENTITY, rakeBps: 0 })).toThrow(expect.objectContaining({ code: 'SANDBOX_DB_OTHER' }))
    open().close()
  })

  test('keeps one snapshot, the newest', () => {
    const store = open()
    expect(store.snapshot()).toBeUndefined()
    store.saveSnapshot('{"empty":true}')
    store.append(deposit(1n), [])
    store.saveSnapshot('{}')
    expect(store.snapshot()).toEqual({ seq: 1, state: '{}' })
    store.close()
    const database = openDatabase(file)
    expect(database.prepare('SELECT count(*) AS kept FROM snapshots').get()).toEqual({ kept: 1 })
    database.close()
  })

  test('an agent has one key at a time, known by its hash', () => {
    const store = open()
    store.setKey('a', { hash: 'h1', prefix: 'ck_1' })
    store.setKey('b', { hash: 'h2', prefix: 'ck_2' })
    expect([store.agentOfKey('h1'), store.agentOfKey('h2'), store.agentOfKey('h3')]).toEqual(['a', 'b', undefined])
    store.setKey('a', { hash: 'h3', prefix: 'ck_3' })
    expect([store.agentOfKey('h1'), store.agentOfKey('h3')]).toEqual([undefined, 'a'])
    expect([store.keyPrefix('a'), store.keyPrefix('c')]).toEqual(['ck_3', null])
    store.close()
  })

  test('keeps wallets with their keys', () => {
    const wallet = createWallet('a')
    const store = open()
    store.addWallet(wallet)
    store.close()
    const again = open()
    const kept = again.wallet('a')
    expect(kept?.address).toBe(wallet.address)
    expect(Buffer.from(kept?.secretKey ?? [])).toEqual(Buffer.from(wallet.secretKey))
    expect(again.wallet('b')).toBeUndefined()
    again.close()
  })
})
