import { expect, test } from 'vitest'
import { FleetKey, newFleetKey } from './fleetKey.ts'

test('a key has signed what it signed, for that purpose, and nothing else', () => {
  const [key, other] = [new FleetKey(newFleetKey()), new FleetKey(newFleetKey())]
  const signature = key.sign('sweep', 'text')
  expect(key.hasSigned('sweep', 'text', signature)).toBe(true)
  expect(key.hasSigned('sweep', 'texts', signature)).toBe(false)
  expect(key.hasSigned('other', 'text', signature)).toBe(false)
  expect(other.hasSigned('sweep', 'text', signature)).toBe(false)
  expect(key.hasSigned('sweep', 'text', '')).toBe(false)
  expect(key.hasSigned('sweep', 'text', signature.slice(2))).toBe(false)
})

test.each(['', 'word', 'ab'.repeat(31), 'xy'.repeat(32)])('%j is no key', (text) => {
  expect(() => new FleetKey(text)).toThrowError(expect.objectContaining({ code: 'FLEET_KEY' }))
  if (text !== '') expect(() => new FleetKey(text)).not.toThrowError(text)
})
