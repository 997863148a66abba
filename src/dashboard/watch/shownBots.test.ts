import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { elsewhereRowOf } from './elsewhereRow.ts'
import { readShown, type ShownBot, shownBytes } from './shownBots.ts'

const MOST = 64 * 1024
const own = { cap: '20000000', stopped: 'nothing', now: 0 } as const

function botOf(name: string, opens: number): ShownBot {
  const open = Array.from({ length: opens }, (_, n) => ({
    ...({
      kind: 'contest',
      id: createHash('sha1').update(`${name} ${n}`).digest('hex'),
      mode: 'up_down',
      stake: `${n}`,
      token: undefined,
      side: 'UP',
    } as const),
    ...({ phase: 'live', startsAt: n, endsAt: n + 1 } as const),
  }))
  const row = elsewhereRowOf(name, undefined, own)
  return { row: { ...row, phase: 'running', equity: '1', profit: '2', open }, before: [{ at: 1, profit: '1', equity: undefined }] }
}

/** What JSON keeps: what is not known is not written. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

describe('what a host shows of its bots', () => {
  test('is read as it was', () => {
    const shown = { page: 'http://127.0.0.1:8788/', bots: [botOf('alice', 9), botOf('bob', 0)] }
    expect(readShown(shownBytes(shown, MOST))).toEqual(asJson(shown))
  })

  test('has less of each bot where there are many, and of hundreds not all', () => {
    const read = (count: number, opens: number) => {
      const bytes = shownBytes({ bots: Array.from({ length: count }, (_, n) => botOf(`bot ${n}`, opens)) }, MOST)
      expect(bytes.length).toBeLessThanOrEqual(MOST)
      return readShown(bytes)?.bots ?? []
    }
    expect(read(4, 20).map(({ row }) => row.open.length)).toEqual([20, 20, 20, 20])
    const many = read(200, 100)
    expect(many).toHaveLength(200)
    expect(many.every(({ row }) => row.open.length <= 4)).toBe(true)
    const first = read(20_000, 0)
    expect(first.length).toBeGreaterThan(1000)
    expect(first.length).toBeLessThan(20_000)
  })

  test('that is of another form, or no bytes of ours, is not read', () => {
    expect(readShown(Buffer.from('no bytes of ours'))).toBeUndefined()
    expect(readShown(shownBytes({ bots: [], form: 2 } as never, MOST))).toBeUndefined()
  })
})
