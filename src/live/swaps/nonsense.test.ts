import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RawCall } from '../../../test/support/rawServer.ts'
import { runsOf } from '../../../test/support/suite/cases.ts'
import { ASKED, FEES, openSwapWorld, QUOTE, REAL_SWAPS, SECRETS } from '../../../test/support/swapWorld.ts'
import type { Landing, QuoteResult } from '../../pipeline/index.ts'

// Whatever Jupiter and the RPC answer: no throw, no quote, transaction or landing out of nonsense, no secret told.

const RUNS = runsOf(400)
const HOURS_MS = 7_200_000
const REAL = REAL_SWAPS[0]
const WALLET = REAL?.feePayer ?? ''
const SWAP = { swapTransaction: REAL?.base64 ?? '', lastValidBlockHeight: 317_252_774, simulationError: null }
const AMOUNTS = ['inAmount', 'outAmount', 'otherAmountThreshold'] as const

const oddNumber = fc.constantFrom('NaN', '-1', '1.5', '1e9', '0x10', ' 1', '', '1'.repeat(30), '٣', '18446744073709551616', 'Infinity')
const odd = fc.oneof(oddNumber, fc.jsonValue(), fc.double().map(String), fc.bigInt().map(String))
/** A good answer with some fields made odd, or left out. */
const spoiltOf = (good: object) =>
  fc
    .record(Object.fromEntries(Object.keys(good).map((field) => [field, odd])), { requiredKeys: [] })
    .chain((fields) => fc.subarray(Object.keys(good), { maxLength: 2 }).map((dropped) => ({ fields, dropped })))
    .map(({ fields, dropped }) =>
      JSON.stringify(Object.fromEntries(Object.entries({ ...good, ...fields }).filter(([field]) => !dropped.includes(field)))),
    )
const bodyOf = (good: object) =>
  fc.oneof(
    fc.constant(JSON.stringify(good)),
    spoiltOf(good),
    fc.nat({ max: JSON.stringify(good).length - 1 }).map((length) => JSON.stringify(good).slice(0, length)),
    fc.json(),
    fc.string(),
    fc.string().map((text) => `<html>${text}</html>`),
  )
const status = fc.oneof({ weight: 4, arbitrary: fc.constant(200) }, { weight: 1, arbitrary: fc.integer({ min: 200, max: 999 }) })
const retryAfter = fc.option(fc.oneof(fc.nat().map(String), fc.stringMatching(/^[ -~]{0,20}$/)), { nil: undefined })
const answerOf = (good: object) => fc.record({ status, body: bodyOf(good), retryAfter })
type Answer = { status: number; body: string; retryAfter: string | undefined }

const give =
  ({ status, body, retryAfter }: Answer) =>
  ({ response }: RawCall) =>
    void response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(body)

/** What an answer says, by the plainest reading there is. */
function said({ status, body }: Answer): Record<string, unknown> | undefined {
  if (status < 200 || status > 299) return undefined
  try {
    const json = JSON.parse(body) as unknown
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function expectNoSecret(result: unknown): void {
  const text = JSON.stringify(result, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  for (const secret of SECRETS) expect(text).not.toContain(secret)
}

test('a quote comes of digits alone', async () => {
  await using world = await openSwapWorld()
  let quotes = 0
  await fc.assert(
    fc.asyncProperty(answerOf(QUOTE), async (answer) => {
      world.clock.advanceTo(world.clock.now() + HOURS_MS)
      world.jupiter.answer = give(answer)
      const result: QuoteResult = await world.swapper.quote(ASKED)
      expectNoSecret(result)
      if (!result.ok) {
        expect(result.reason).not.toBe('')
        return
      }
      quotes += 1
      const json = said(answer)
      expect(result.raw).toEqual(json)
      const { inAmount, outAmount, minOut, impactBps, slippageBps } = result.quote
      for (const [field, amount] of [
        [AMOUNTS[0], inAmount],
        [AMOUNTS[1], outAmount],
        [AMOUNTS[2], minOut],
      ] as const) {
        expect(json?.[field]).toMatch(/^\d+$/)
        expect(amount).toBe(BigInt(String(json?.[field])))
      }
      expect(slippageBps).toBe(json?.slippageBps)
      if (impactBps !== undefined) expect(Number.isFinite(impactBps)).toBe(true)
    }),
    { numRuns: RUNS },
  )
  // Of good answers there are some: it does not pass by refusing everything.
  expect(quotes).toBeGreaterThan(RUNS / 50)
})

test('a transaction comes of a transaction alone', async () => {
  await using world = await openSwapWorld()
  let built = 0
  await fc.assert(
    fc.asyncProperty(answerOf(SWAP), fc.jsonValue(), async (answer, raw) => {
      world.clock.advanceTo(world.clock.now() + HOURS_MS)
      world.jupiter.answer = give(answer)
      const result = await world.swapper.build({ raw, wallet: WALLET }, FEES)
      expectNoSecret(result)
      if (!result.ok) {
        expect(result.reason).not.toBe('')
        return
      }
      built += 1
      expect(said(answer)).toMatchObject({ swapTransaction: SWAP.swapTransaction, lastValidBlockHeight: result.built.lastValidBlockHeight })
      expect(said(answer)?.simulationError ?? null).toBeNull()
    }),
    { numRuns: RUNS },
  )
  expect(built).toBeGreaterThan(RUNS / 50)
})

test('a landing, and what a transaction would change, come of no nonsense', async () => {
  await using world = await openSwapWorld({ jupiter: (call) => call.json(200, SWAP), methods: {} })
  const seen = new Set<Landing['status']>()
  const result = fc.oneof(
    fc.jsonValue(),
    fc.constant(null),
    fc.constant([]),
    fc.record({ value: fc.oneof(fc.jsonValue(), fc.constant([]), fc.boolean()) }),
    fc.nat(),
  )
  const answer = fc.oneof(
    {
      weight: 3,
      arbitrary: result.map((value) => ({
        status: 200,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: value }),
        retryAfter: undefined,
      })),
    },
    { weight: 1, arbitrary: answerOf({ jsonrpc: '2.0', id: 1, result: null }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(answer), fc.boolean(), async (answers, isNamed) => {
      world.clock.advanceTo(world.clock.now() + HOURS_MS)
      world.rpc.answer = (call) => give(answers.next().value)(call)
      const landing = await world.swapper.landing({
        wallet: WALLET,
        transaction: SWAP.swapTransaction,
        signature: isNamed ? 'ours' : undefined,
        // No height is past it: nothing here shows that it has expired.
        lastValidBlockHeight: Number.MAX_SAFE_INTEGER,
      })
      seen.add(landing.status)
      expect(['pending', 'unavailable']).toContain(landing.status)
      const built = await world.swapper.build({ raw: QUOTE, wallet: WALLET }, FEES)
      if (built.ok) expect(built.built.simulated?.error).toEqual(expect.any(String))
      expectNoSecret([landing, built])
    }),
    { numRuns: RUNS },
  )
  expect(seen).toEqual(new Set(['pending', 'unavailable']))
})
