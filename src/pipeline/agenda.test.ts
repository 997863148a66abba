import { describe, expect, test } from 'vitest'
import { Agenda } from './agenda.ts'

describe('Agenda', () => {
  test('gives what is due, earliest first, and of the same time as it was planned', () => {
    const agenda = new Agenda()
    agenda.set('late', 300)
    agenda.set('b', 200)
    agenda.set('a', 200)
    agenda.set('first', 100)
    expect(agenda.next()).toBe(100)
    expect(agenda.takeDue(200)).toEqual(['first', 'b', 'a'])
    expect(agenda.takeDue(200)).toEqual([])
    expect(agenda.next()).toBe(300)
  })

  test('a purpose has one time: `set` moves it, `soon` only brings it forward', () => {
    const agenda = new Agenda()
    agenda.set('x', 100)
    agenda.set('x', 500)
    expect(agenda.next()).toBe(500)
    agenda.soon('x', 600)
    expect(agenda.next()).toBe(500)
    agenda.soon('x', 400)
    expect(agenda.next()).toBe(400)
    agenda.soon('y', 900)
    expect(agenda.has('y')).toBe(true)
  })

  test('what is dropped is never due', () => {
    const agenda = new Agenda()
    agenda.set('x', 100)
    agenda.drop('x')
    expect(agenda.has('x')).toBe(false)
    expect(agenda.next()).toBeUndefined()
    expect(agenda.takeDue(1000)).toEqual([])
  })
})
