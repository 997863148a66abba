import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sealedText, segmentOf } from '../../test/support/logFiles.ts'
import { checkLog } from './checkLog.ts'

const page = readFileSync(new URL('../../docs/log-format.md', import.meta.url), 'utf8')
const example = /```ndjson\n(.*?)```/s.exec(page)?.[1] ?? ''

describe('docs/log-format.md', () => {
  test('the example is sound, and its checksums are those we compute', () => {
    const lines = example
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ kind }) => kind)).toEqual(['header', 'input', 'prices', 'output'])
    expect(checkLog(segmentOf(example))).toEqual([])
    expect(sealedText(lines.map(({ crc: _crc, ...line }) => line))).toBe(example)
  })

  test('lists every code a reader can throw', () => {
    const source = readFileSync(new URL('./logError.ts', import.meta.url), 'utf8')
    const codes = new Set(source.match(/LOG_[A-Z_]+/g))
    expect(codes.size).toBe(9)
    for (const code of codes) expect(page).toContain(`| \`${code}\` |`)
  })
})
