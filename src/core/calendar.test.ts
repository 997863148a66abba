import { describe, expect, test } from 'vitest'
import { dayText, weekText } from './calendar.ts'

describe('the calendar, by UTC', () => {
  test('a day is the one of its date', () => {
    expect(dayText(Date.parse('2026-11-27T23:59:59.999Z'))).toBe('2026-11-27')
    expect(dayText(Date.parse('2026-11-28T00:00:00Z'))).toBe('2026-11-28')
  })

  test.each([
    // The examples of ISO 8601 in https://en.wikipedia.org/wiki/ISO_week_date
    ['1977-01-01', '1976-W53'],
    ['1977-01-02', '1976-W53'],
    ['1977-12-31', '1977-W52'],
    ['1978-01-01', '1977-W52'],
    ['1978-01-02', '1978-W01'],
    ['1979-12-30', '1979-W52'],
    ['1979-12-31', '1980-W01'],
    ['1980-12-28', '1980-W52'],
    ['1981-12-31', '1981-W53'],
    ['1982-01-03', '1981-W53'],
    ['1970-01-01', '1970-W01'],
    ['2026-11-27', '2026-W48'],
  ])('%s is in week %s', (day, week) => {
    expect(weekText(Date.parse(`${day}T12:00:00Z`))).toBe(week)
  })
})
