import { expect, test } from 'vitest'
import { redactor, secretsIn } from './redact.ts'

test('what may be a key in an address is found, and its words are not', () => {
  const key = '0123456789abcdef0123456789abcdef'
  expect(secretsIn(`https://user:p%40ss@rpc.example/v2/${key}?api-key=abcd-1234&v=2`)).toEqual(['user', 'p%40ss', 'abcd-1234', key])
  expect(secretsIn('https://api.jup.ag/swap/v1')).toEqual(['', ''])
})

test('a secret is struck out as it is, encoded and decoded, the whole of it', () => {
  const redact = redactor(['p%40ss', 'key', 'key-longer', 'a b', ''])
  expect(redact('p%40ss p@ss key-longer key a b a%20b rest')).toBe('*** *** *** *** *** *** rest')
  expect(redactor(['100%'])('100% 100%25')).toBe('*** ***')
})
