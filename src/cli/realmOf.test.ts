import { expect, test } from 'vitest'
import { contestService, sandbox } from '../strategy/config.ts'
import { realmOf } from './realmOf.ts'

test('a realm is the sandbox, or the origin of the service, whatever path it is asked under', () => {
  expect(realmOf(sandbox({ seed: 7 }))).toBe('sandbox')
  for (const url of ['https://contests.example.com/api', 'https://contests.example.com/v2/'])
    expect(realmOf(contestService({ url }))).toBe('https://contests.example.com')
})
