import { expect, test } from 'vitest'
import { emptyBooks } from './books.ts'
import { OwnedBooks } from './ownedBooks.ts'

test('a pen writes its own parts, whatever else it is handed, and nothing where nothing has changed', () => {
  const books = new OwnedBooks()
  const write = books.penFor('cancelled', 'staked')
  const all = { ...emptyBooks, cancelled: 2, staked: 3n, caughtUp: true }
  write(all)
  expect(books.present).toEqual({ ...emptyBooks, cancelled: 2, staked: 3n })
  const before = books.present
  write({ cancelled: 2 })
  expect(books.present).toBe(before)
  write({ staked: 4n })
  expect(before.staked, 'what was read stays as it was').toBe(3n)
  expect(books.present.staked).toBe(4n)
})

test('a part that may be undefined can be written so', () => {
  const books = new OwnedBooks()
  const write = books.penFor('wallet')
  write({ wallet: 'address' })
  write({ wallet: undefined })
  expect(books.present.wallet).toBeUndefined()
})

test('no part has two pens', () => {
  const books = new OwnedBooks()
  books.penFor('seats', 'tickets')
  expect(() => books.penFor('custody', 'seats')).toThrow('a part of the books has one owner')
})
