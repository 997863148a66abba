import { describe, expect, test } from 'vitest'
import { Deadlines } from './deadlines.ts'

describe('Deadlines', () => {
  test('gives what is due, earliest first, and of the same time as it was planned', () => {
    const deadlines = new Deadlines()
    deadlines.set('tend', 300)
    deadlines.set('tickets', 200)
    deadlines.set('seats', 200)
    deadlines.set('limits', 100)
    expect(deadlines.next()).toBe(100)
    expect(deadlines.takeDue(200)).toEqual(['limits', 'tickets', 'seats'])
    expect(deadlines.takeDue(200)).toEqual([])
    expect(deadlines.next()).toBe(300)
  })

  test('a purpose has one time: `set` moves it, `soon` only brings it forward', () => {
    const deadlines = new Deadlines()
    deadlines.set('reveal:x', 100)
    deadlines.set('reveal:x', 500)
    expect(deadlines.next()).toBe(500)
    deadlines.soon('reveal:x', 600)
    expect(deadlines.next()).toBe(500)
    deadlines.soon('reveal:x', 400)
    expect(deadlines.next()).toBe(400)
    deadlines.soon('reveal:y', 900)
    expect(deadlines.has('reveal:y')).toBe(true)
  })

  test('what is dropped is never due', () => {
    const deadlines = new Deadlines()
    deadlines.set('reveal:x', 100)
    deadlines.drop('reveal:x')
    expect(deadlines.has('reveal:x')).toBe(false)
    expect(deadlines.next()).toBeUndefined()
    expect(deadlines.takeDue(1000)).toEqual([])
  })
})
