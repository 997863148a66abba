import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { header, input, sealedText } from '../../test/support/logFiles.ts'

const page = readFileSync(new URL('../../docs/log-format.md', import.meta.url), 'utf8')

test('the Python of docs/log-format.md finds a segment sound, whatever stands in its lines, and an altered one not', () => {
  const python = /```python\n(.*?)```/s.exec(page)?.[1] ?? ''
  const check = (segment: string) =>
    execFileSync('python3', ['-c', `import sys, zlib\nsegment = sys.stdin.buffer.read().decode()\n${python}`], {
      input: segment,
      stdio: 'pipe',
    })
  // Line ends to Python, and to JSON characters like any other.
  const segment = sealedText([header(), input(1, { body: { reason: 'a\u2028b\u2029c\u0085d' } }), input(2)])
  check(segment)
  expect(() => check(segment.replace('"n":2', '"n":3'))).toThrow(/AssertionError/)
})
