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

test('while a key is changed the first signs, and both are accepted', () => {
  const [before, next, other] = [newFleetKey(), newFleetKey(), newFleetKey()]
  const changing = new FleetKey(`${next}, ${before}`)
  const signature = new FleetKey(before).sign('sweep', 'text')
  expect(changing.hasSigned('sweep', 'text', signature)).toBe(true)
  expect(changing.hasSigned('sweep', 'texts', signature)).toBe(false)
  expect(new FleetKey(next).hasSigned('sweep', 'text', changing.sign('sweep', 'text'))).toBe(true)
  expect(new FleetKey(before).hasSigned('sweep', 'text', changing.sign('sweep', 'text'))).toBe(false)
  expect(changing.fits(new FleetKey(before).check)).toBe(true)
  expect(changing.fits(new FleetKey(other).check)).toBe(false)
})

test.each([
  `${'ab'.repeat(32)},`,
  ['ab', 'cd', 'ef'].map((two) => two.repeat(32)).join(),
  '',
  'word',
  'ab'.repeat(31),
  'xy'.repeat(32),
])('%j is no key', (text) => {
  expect(() => new FleetKey(text)).toThrowError(expect.objectContaining({ code: 'FLEET_KEY' }))
  if (text !== '') expect(() => new FleetKey(text)).not.toThrowError(text)
})
