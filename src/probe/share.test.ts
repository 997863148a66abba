import { expect, test } from 'vitest'
import { recordSandbox } from '../../test/support/probe/recordSandbox.ts'
import { find } from './find/find.ts'
import { shared } from './share.ts'

const recorded = recordSandbox({ seconds: 70 })
const SECRET = 'a secret of the test'
const safe = shared(recorded, SECRET)
const [text, safeText] = [recorded, safe].map((value) => JSON.stringify(value)) as [string, string]

/** Every text of a form that a recording holds. */
const all = (form: RegExp, within: string): ReadonlySet<string> => new Set(within.match(form) ?? [])
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

test('find says the same of what is shared', () => {
  const verdicts = (of: typeof recorded) =>
    Object.values(find(of.exchanges, of.facts).pieces).map(({ name, verdict, place }) => ({ name, verdict, place }))
  expect(verdicts(safe)).toEqual(verdicts(recorded))
})

test('no id, handle or wallet of before is in it, and as many others are', () => {
  const [before, after] = [all(UUID, text), all(UUID, safeText)]
  expect(before.size).toBeGreaterThan(50)
  expect(after.size).toBe(before.size)
  expect([...before].filter((id) => after.has(id))).toEqual([])
  expect(text).toContain('prober-7')
  expect(safeText).not.toContain('prober-7')
  expect(text).toContain('7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5')
  expect(safeText).not.toContain('7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5')
})

test('mints, times and amounts stay', () => {
  expect(safeText).toContain('So11111111111111111111111111111111111111112')
  const times = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
  expect(all(times, safeText)).toEqual(all(times, text))
})

test('stand-ins keep their form, and are the same for the same secret alone', () => {
  expect(JSON.stringify(shared(recorded, SECRET))).toBe(safeText)
  expect(JSON.stringify(shared(recorded, 'another'))).not.toBe(safeText)
  const wallet = safe.exchanges.find(({ procedure }) => procedure === 'agent.bankroll')?.body
  expect(JSON.stringify(wallet)).toMatch(/"walletAddress":"[1-9A-HJ-NP-Za-km-z]{44}"/)
  expect(safe.facts.events.every(({ id }) => id[14] === '7')).toBe(true)
})
