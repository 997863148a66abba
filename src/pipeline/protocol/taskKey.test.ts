import { describe, expect, test } from 'vitest'
import { ownerOf, parseTaskKey, type TaskKey } from './taskKey.ts'

describe('a task key', () => {
  test.each([
    ['limits', 'limits', ''],
    ['ticket:0f1e', 'ticket', '0f1e'],
    ['resolve:12:momentum:0', 'resolve', '12:momentum:0'],
    ['sweep:', 'sweep', ''],
  ] as const)('%s is of its kind, and its subject the whole rest', (purpose, kind, subjectId) => {
    expect(parseTaskKey(purpose)).toEqual({ kind, subjectId })
  })

  test.each([
    ['seatsAtStart', 'catchUp'],
    ['reveal:0f1e', 'reveals'],
    ['finalState:0f1e', 'finalReads'],
    ['swapBalances:12:momentum:0', 'swaps'],
    ['ready:0f1e', 'seats'],
  ] as const)('%s is owned by %s', (purpose, owner) => {
    expect(ownerOf(purpose)).toBe(owner)
  })

  test('of an older recording, which nobody knows any more, is nobody’s', () => {
    for (const purpose of ['gone', 'gone:0f1e', 'constructor']) expect(ownerOf(purpose as TaskKey)).toBe('anybody')
  })
})
