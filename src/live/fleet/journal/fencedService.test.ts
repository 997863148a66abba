import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { keyedUuid } from '../../../core/ids.ts'
import { systemClock } from '../../../core/systemClock.ts'
import type { ActionRequest, RemoteService } from '../../../pipeline/index.ts'
import { HttpService } from '../../httpService.ts'
import { connectionsTo } from '../../outgoing.ts'
import { type EntryGate, FencedService } from './fencedService.ts'
import type { Kept } from './kept.ts'

const join: ActionRequest = { procedure: 'agent.contests.join', input: { contestId: keyedUuid('contest') } }
const leave: ActionRequest = { procedure: 'agent.contests.leave', input: { contestId: keyedUuid('contest') } }

class ScriptedKept implements Kept {
  result: 'kept' | 'fenced' | 'late' = 'kept'
  refusesEntries = false
  isDurable = true
  /** Answers to `maySend` in their order, the last for ever. */
  answers = [true]

  async kept() {
    return this.result
  }

  maySend(): boolean {
    return (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? false
  }
}

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A service over a real connection, and what arrived at its other end. */
async function started(kept: Kept, gate: EntryGate = async () => () => undefined) {
  const arrived: string[] = []
  const server = createServer((request, response) => {
    arrived.push(`${request.method}`)
    request.resume().on('end', () => response.end('{"result":{"data":{"json":{}}}}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const options = { timeoutMs: 5000, connections: 2, maxResponseSize: 1_000_000, maySend: () => kept.maySend() }
  const http = new HttpService({
    ...{ url: `http://127.0.0.1:${port}/api`, agentKey: 'key', timeoutMs: 5000, clock: systemClock },
    connect: (origin) => connectionsTo(origin, options),
  })
  ends.push(
    () => http.close(),
    async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  )
  return { service: new FencedService(http, kept, gate), arrived }
}

describe('FencedService', () => {
  test('sends what is kept', async () => {
    const { service, arrived } = await started(new ScriptedKept())
    expect(await service.act(join)).toMatchObject({ status: 'accepted' })
    expect(arrived).toEqual(['POST'])
  })

  test.each(['fenced', 'late'] as const)('sends nothing where the commit is %s', async (result) => {
    const { service, arrived } = await started(Object.assign(new ScriptedKept(), { result }))
    expect(await service.act(join)).toMatchObject({ status: 'notSent' })
    expect(arrived).toEqual([])
  })

  test('sends nothing once it is too late, and no entry while the database is slow', async () => {
    const kept = new ScriptedKept()
    const { service, arrived } = await started(kept)
    kept.answers = [false]
    expect(await service.act(join)).toMatchObject({ status: 'notSent' })
    kept.answers = [true]
    kept.refusesEntries = true
    expect(await service.act(join)).toMatchObject({ status: 'notSent' })
    expect(arrived).toEqual([])
    expect(await service.act(leave)).toMatchObject({ status: 'accepted' })
  })

  test('sends no entry whose commit is on one server alone, and all that is open', async () => {
    const kept = new ScriptedKept()
    const { service, arrived } = await started(kept)
    kept.isDurable = false
    expect(await service.act(join)).toMatchObject({ status: 'notSent', reason: expect.stringMatching(/no second server/) as string })
    expect(arrived).toEqual([])
    expect(await service.act(leave)).toMatchObject({ status: 'accepted' })
    kept.isDurable = true
    expect(await service.act(join)).toMatchObject({ status: 'accepted' })
  })

  test.each([
    [undefined, 60_000],
    [5000, 60_000],
    [90_000, 90_000],
  ])('what the host before has sent may arrive for a minute, or for as long as the service says: %j', async (stated, expected) => {
    const service = { mayArriveForMs: stated } as unknown as RemoteService
    expect(new FencedService(service, new ScriptedKept(), async () => () => undefined).mayArriveForMs).toBe(expected)
  })

  test('asks for the place of an entry, and of nothing else', async () => {
    const asked: string[] = []
    const gate: EntryGate = async (request) => {
      asked.push(request.procedure)
      return () => 'bob is there'
    }
    const { service, arrived } = await started(new ScriptedKept(), gate)
    expect(await service.act(join)).toEqual({ status: 'notSent', reason: 'bob is there' })
    expect(arrived).toEqual([])
    expect(await service.act(leave)).toMatchObject({ status: 'accepted' })
    expect(asked).toEqual([join.procedure])
  })

  test('writes the place of an entry beside its record, waits for both, and believes what holds then', async () => {
    const record = Promise.withResolvers<'kept'>()
    const place = Promise.withResolvers<undefined>()
    const asked: string[] = []
    let verdict: string | undefined
    const gate: EntryGate = async (request) => {
      asked.push(request.procedure)
      await place.promise
      return () => verdict
    }
    const kept = Object.assign(new ScriptedKept(), { kept: () => record.promise })
    const { service, arrived } = await started(kept, gate)
    const acts = [service.act(join), service.act(join)]
    expect(asked).toEqual([join.procedure, join.procedure])
    place.resolve(undefined)
    await new Promise((resolve) => setImmediate(resolve))
    expect(arrived).toEqual([])
    verdict = 'the operator has just said something else'
    record.resolve('kept')
    expect(await Promise.all(acts)).toEqual(acts.map(() => ({ status: 'notSent', reason: verdict })))
    verdict = undefined
    expect(await service.act(join)).toMatchObject({ status: 'accepted' })
    expect(arrived).toEqual(['POST'])
  })

  test('sends nothing once it is held, and says when what is under way has its answer', async () => {
    const { service, arrived } = await started(new ScriptedKept())
    const first = service.act(join)
    await service.hold()
    expect(arrived).toEqual(['POST'])
    expect(await first).toMatchObject({ status: 'accepted' })
    expect(await service.act(leave)).toMatchObject({ status: 'notSent' })
    expect(arrived).toEqual(['POST'])
  })

  test('what has become too late while its connection was made is kept back at the socket, and the next one leaves', async () => {
    const kept = new ScriptedKept()
    const { service, arrived } = await started(kept)
    for (let round = 0; round < 3; round++) {
      // It is asked as it is handed over, and again as its first byte is to be written.
      kept.answers = [true, false]
      expect(await service.act(join)).toMatchObject({ status: 'notSent' })
      expect(arrived).toHaveLength(round)
      kept.answers = [true]
      expect(await service.act(join)).toMatchObject({ status: 'accepted' })
    }
    kept.answers = [false]
    expect(await service.read({ procedure: 'agent.me', input: null })).toBeDefined()
    expect(arrived).toContain('GET')
  })
})
