import { expect, test } from 'vitest'
import { printable } from './printable.ts'

test.each([
  ['plain words, 1.00 USDC, ünd mehr: 🎲', 'plain words, 1.00 USDC, ünd mehr: 🎲'],
  ['two\nlines\r\n', 'two\\nlines\\r\\n'],
  ['\u001b[2J\u001b]0;title\u0007', '\\u001b[2J\\u001b]0;title\\u0007'],
  ['\u202eLOST\u202c', '\\u202eLOST\\u202c'],
  ['\u2066a\u2069\u200f\u061c', '\\u2066a\\u2069\\u200f\\u061c'],
  ['\u2028\u2029\u0085\u009b', '\\u2028\\u2029\\u0085\\u009b'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown)
})
