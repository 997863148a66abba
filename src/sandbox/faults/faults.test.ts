import { describe, expect, test } from 'vitest'
import { FaultPlan } from './faultPlan.ts'
import { NO_FAULTS, parseFaults, readFaults } from './faults.ts'

describe('parseFaults', () => {
  test('reads what is given; the rest never happens', () => {
    expect(parseFaults('{}')).toEqual(NO_FAULTS)
    expect(parseFaults('{"tables":true,"hops":true}')).toEqual({ ...NO_FAULTS, tables: true, hops: true })
    expect(parseFaults('{"dropAfter":0.5,"latencyMs":[1,20]}')).toEqual({ ...NO_FAULTS, dropAfter: 0.5, latencyMs: [1, 20] })
  })

  test.each([
    ['{', /faults is no JSON/],
    ['[]', /faults: /],
    ['null', /faults: /],
    ['{"dropAfter":1.1}', /faults\.dropAfter: .*1/],
    ['{"dropBefore":-0.1}', /faults\.dropBefore/],
    ['{"error500":"often"}', /faults\.error500/],
    ['{"latencyMs":[5]}', /faults\.latencyMs/],
    ['{"latencyMs":[5,1]}', /faults\.latencyMs: the first must not be over the second/],
    ['{"latencyMs":[0,30001]}', /faults\.latencyMs\.1/],
    ['{"dropped":0.1}', /dropped/],
    ['{"tables":1}', /faults\.tables: .*boolean/],
    ['{"hops":"yes"}', /faults\.hops: .*boolean/],
  ])('refuses %s, naming the field and what is allowed', (text, message) => {
    expect(() => parseFaults(text)).toThrow(expect.objectContaining({ code: 'SANDBOX_FAULTS', message: expect.stringMatching(message) }))
    expect(() => parseFaults(text)).toThrow(/Allowed: an object with dropBefore, dropAfter,/)
  })
})

describe('FaultPlan', () => {
  const drawn = (plan: FaultPlan, agent = 'a') => Array.from({ length: 40 }, () => plan.ofCall(agent, 'agent.me'))
  const faults = readFaults({ dropBefore: 0.3, dropAfter: 0.3, error500: 0.3, rateLimited: 0.3, latencyMs: [3, 9] })

  test('without faults it does nothing', () => {
    const plan = new FaultPlan(7)
    expect(plan.ofCall('a', 'agent.me')).toBeUndefined()
    expect(plan.repeatAt('a')).toBeUndefined()
    expect(plan.holdMs('e')).toBe(0)
    expect(plan.isSentTwice('e')).toBe(false)
  })

  test('the same calls meet the same faults, whatever other agents do; another seed, others', () => {
    const first = drawn(new FaultPlan(7, faults))
    const busy = new FaultPlan(7, faults)
    drawn(busy, 'b')
    expect(drawn(busy)).toEqual(first)
    expect(drawn(new FaultPlan(8, faults))).not.toEqual(first)
    expect(new Set(first.map((fault) => fault?.instead))).toEqual(new Set([undefined, 'dropBefore', 'rateLimited', 'error500']))
    expect(first.every((fault) => fault !== undefined && fault.latencyMs >= 3 && fault.latencyMs <= 9)).toBe(true)
  })

  test('one kind of fault draws nothing from the chance of another', () => {
    const alone = drawn(new FaultPlan(7, readFaults({ dropAfter: 0.3 }))).map((fault) => fault?.dropAfter)
    expect(drawn(new FaultPlan(7, faults)).map((fault) => fault?.dropAfter)).toEqual(alone)
  })

  test('happens about as often as asked for', () => {
    const plan = new FaultPlan(7, readFaults({ dropAfter: 0.2, webhookShuffle: 0.2, webhookDuplicate: 0.2, pollDuplicate: 0.2 }))
    const share = (happens: (n: number) => boolean) => Array.from({ length: 2000 }, (_, n) => happens(n)).filter(Boolean).length / 2000
    expect(share(() => plan.ofCall('a', 'agent.me')?.dropAfter === true)).toBeCloseTo(0.2, 1)
    expect(share((n) => plan.holdMs(`e${n}`) > 0)).toBeCloseTo(0.2, 1)
    expect(share((n) => plan.isSentTwice(`e${n}`))).toBeCloseTo(0.2, 1)
    expect(share(() => plan.repeatAt('a') !== undefined)).toBeCloseTo(0.2, 1)
  })
})
