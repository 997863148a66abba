import { expect, test } from 'vitest'
import { hashAgentKey, issueAgentKey } from './agentKey.ts'

test('a key is told by its prefix and found by its hash alone', () => {
  const issued = issueAgentKey()
  expect(issued.key).toMatch(/^ck_[A-Za-z0-9_-]{43}$/)
  expect(issued.key.startsWith(issued.prefix)).toBe(true)
  expect(issued.prefix).toHaveLength(9)
  // SHA-256 of "ck_example", as `printf ck_example | sha256sum` gives it.
  expect(hashAgentKey('ck_example')).toBe('bcfd477840d680ae099179d28ee526f9c8046ea6146b7bd80b2f0eca68d06972')
  expect(hashAgentKey(issued.key)).toBe(issued.hash)
  expect(issueAgentKey().key).not.toBe(issued.key)
})
