import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isTradingMode, MODE_TRAITS, MODES, modesWhere, PREDICTION_MODES, TRADING_MODES, traitsOf } from './modes.ts'

describe('the table of modes', () => {
  test('cannot be changed, nor can what derives from it', () => {
    for (const list of [MODES, TRADING_MODES, PREDICTION_MODES]) expect(Object.isFrozen(list)).toBe(true)
  })

  test('gives the modes that have some traits', () => {
    expect(TRADING_MODES).toEqual(['pnl_race_pct', 'pnl_usd', 'best_trade', 'target_race', 'last_bag_standing', 'same_token'])
    expect(PREDICTION_MODES).toEqual(['price_prediction', 'up_down'])
    expect(modesWhere({ asked: 'trade', needsToken: true })).toEqual(['last_bag_standing', 'same_token'])
    expect(MODES.filter(isTradingMode)).toEqual(TRADING_MODES)
  })

  test('knows nothing of a mode of a later service, whatever it is called', () => {
    for (const mode of ['roulette', 'constructor', '__proto__', '', undefined]) expect(traitsOf(mode)).toBeUndefined()
    expect(isTradingMode('roulette')).toBe(false)
    expect(traitsOf('up_down')).toBe(MODE_TRAITS.up_down)
  })

  test('is all that knows them by name: what differs from mode to mode derives from it', () => {
    const src = fileURLToPath(new URL('..', import.meta.url))
    const named = new RegExp(`'(?:${MODES.join('|')})'`)
    // Their rules, and those of the house; what is written for users, and tests.
    const mayName = /^(?:contract\/modes|contests\/(?:modes|house)\/|testing\/|cli\/runs\/templates\/|.*\.test\.)/
    const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /\.tsx?$/.test(file) && !mayName.test(file))
      .flatMap((file) => {
        const lines = readFileSync(`${src}/${file}`, 'utf8').split('\n')
        return lines.filter((line) => named.test(line) && !/^\s*(?:\*|\/\/)/.test(line)).map((line) => `${file}: ${line.trim()}`)
      })
    expect(found).toEqual([])
  })
})
