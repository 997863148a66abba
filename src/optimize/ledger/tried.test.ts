import { expect, test } from 'vitest'
import type { TrialLine } from './ledgerLines.ts'
import { triedOf } from './tried.ts'

const HERE = { realm: 'import', from: 0, to: 1000 }
const trial = (fingerprint: string, changes: Partial<TrialLine> = {}): TrialLine => ({
  ...{ kind: 'trial', at: 0, ...HERE, fingerprint, key: fingerprint, seed: 1, contests: 100, edge: 0 },
  ...changes,
})
const tried = (trials: readonly TrialLine[], changes = {}) =>
  triedOf({ trials, spans: [HERE], deviation: 0.94, contests: 304, evenEdge: -0.05, ...changes })
const times = (...trials: readonly TrialLine[]) => tried(trials)?.trials

test('the same decisions on the same time are one trial, whatever the code and the seed say', () => {
  expect(times(trial('a'))).toBeUndefined()
  expect(times(trial('a'), trial('a', { key: 'b' }), trial('a', { seed: 2 }))).toBeUndefined()
  expect(times(trial('a'), trial('b', { key: 'a' }), trial('c', { key: 'a', seed: 2 }), trial('a'))).toBe(3)
})

test('of a time that only shares a moment, a bot with one seed counts once', () => {
  const longer = { to: 5000 }
  expect(times(trial('a'), trial('a later', { key: 'a', ...longer }))).toBeUndefined()
  expect(times(trial('a'), trial('b', longer), trial('b later', { key: 'b', to: 6000 }), trial('b', { seed: 2, ...longer }))).toBe(3)
})

test('trials without a contest are none', () => {
  expect(times(trial('a'), trial('b', { contests: 0 }))).toBeUndefined()
})

test('says what the best of so many coins would show: 200 without skill, over 304 contests, show +9.8 % where -5 % is true', () => {
  const many = Array.from({ length: 200 }, (_, index) => trial(String(index)))
  const found = tried(many)
  expect(found?.bestOfCoins).toBeCloseTo(0.098, 2)
  expect(found?.sentence).toMatch(/^TRIED 200: .* the best of 200 coins would show an edge of \+9\.8% over 304 contests\.$/)
})

// Means of the largest of n normal values: Harter (1961), Expected values of normal order statistics, Biometrika 48.
test.each([
  [2, 0.56419],
  [5, 1.16296],
  [10, 1.53875],
  [100, 2.50759],
])('the largest of %i normal values is %d on average', (count, expected) => {
  const trials = Array.from({ length: count }, (_, index) => trial(String(index)))
  expect(tried(trials, { deviation: 1, contests: 1, evenEdge: 0 })?.bestOfCoins).toBeCloseTo(expected, 1.5)
})

test('where it is not known how contests vary it says how often, and no edge', () => {
  expect(tried([trial('a'), trial('b')], { deviation: null })).toEqual({
    trials: 2,
    bestOfCoins: null,
    sentence: 'TRIED 2: so many runs were tried on this time, and the best of 2 coins would show an edge by luck alone.',
  })
})
