import { describe, expect, test } from 'vitest'
import { Agenda } from './agenda.ts'

describe('Agenda', () => {
  test('gives what is due, earliest first, and of the same time as it was planned', () => {
    const agenda = new Agenda()
    agenda.set('tend', 300)
    agenda.set('tickets', 200)
    agenda.set('seats', 200)
    agenda.set('limits', 100)
    expect(agenda.next()).toBe(100)
    expect(agenda.takeDue(200)).toEqual(['limits', 'tickets', 'seats'])
    expect(agenda.takeDue(200)).toEqual([])
    expect(agenda.next()).toBe(300)
  })

  test('a purpose has one time: `set` moves it, `soon` only brings it forward', () => {
    const agenda = new Agenda()
    agenda.set('reveal:x', 100)
    agenda.set('reveal:x', 500)
    expect(agenda.next()).toBe(500)
    agenda.soon('reveal:x', 600)
    expect(agenda.next()).toBe(500)
    agenda.soon('reveal:x', 400)
    expect(agenda.next()).toBe(400)
    agenda.soon('reveal:y', 900)
    expect(agenda.has('reveal:y')).toBe(true)
  })

  test('what is dropped is never due', () => {
    const agenda = new Agenda()
    agenda.set('reveal:x', 100)
    agenda.drop('reveal:x')
    expect(agenda.has('reveal:x')).toBe(false)
    expect(agenda.next()).toBeUndefined()
    expect(agenda.takeDue(1000)).toEqual([])
  })
})
