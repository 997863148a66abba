import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { csvLine } from './csvLine.ts'

describe('a line of CSV', () => {
  test('is read back by another library as it was, whatever is in it', () => {
    const fields = ['plain', 'a, b', 'say "no"', 'two\r\nlines', '"', ',', '', ' spaces ', '=1+1']
    expect(parse(`${csvLine(fields)}\r\n`)).toEqual([fields])
  })

  test('has numbers as they are and nothing for what is not known', () => {
    expect(csvLine([1.5, undefined, 'x', 0])).toBe('1.5,,x,0')
  })
})
