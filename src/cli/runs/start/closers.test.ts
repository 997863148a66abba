import { expect, test } from 'vitest'
import { Closers } from './closers.ts'

test('closes in the reverse order, each after the one before it, and tells what failed', async () => {
  const closers = new Closers()
  const said: string[] = []
  closers.add(() => void said.push('first'))
  closers.add(async () => {
    await Promise.resolve()
    said.push('second')
    throw new Error('second')
  })
  closers.add(() => {
    said.push('third')
    throw new Error('third')
  })
  expect(await closers.close()).toEqual([new Error('third'), new Error('second')])
  expect(said).toEqual(['third', 'second', 'first'])
  expect(await closers.close()).toEqual([])
})

test('opens nothing once all is closed', async () => {
  const closers = new Closers()
  await closers.close()
  expect(() => closers.add(() => {})).toThrow('opened after all was closed')
})
