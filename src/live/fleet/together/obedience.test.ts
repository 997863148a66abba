import { describe, expect, test } from 'vitest'
import { ObedienceWatch } from './obedience.ts'

const host = (name: string, beat: number, obeys: number, run = name) => ({ run, host: name, beat, obeys })

describe('ObedienceWatch', () => {
  test('a host obeys once its row says so, and one that lives has to', () => {
    const watch = new ObedienceWatch(4)
    expect(watch.see([host('h1', 1, 3), host('h2', 9, 4)], 0)).toEqual({ obeying: ['h2'], silent: [], untold: ['h1'] })
    for (let beat = 2; beat < 40; beat++) expect(watch.see([host('h1', beat, 3), host('h2', 9, 4)], beat * 500).untold).toEqual(['h1'])
    expect(watch.see([host('h1', 40, 5), host('h2', 9, 4)], 20_000)).toEqual({ obeying: ['h1', 'h2'], silent: [], untold: [] })
  })

  test('one that stands still is silent after five seconds, and not before; a beat begins them anew', () => {
    const watch = new ObedienceWatch(1)
    expect(watch.see([host('h1', 7, 0)], 1000).untold).toEqual(['h1'])
    expect(watch.see([host('h1', 7, 0)], 5999).untold).toEqual(['h1'])
    expect(watch.see([host('h1', 8, 0)], 6000).untold).toEqual(['h1'])
    expect(watch.see([host('h1', 8, 0)], 10_999).untold).toEqual(['h1'])
    expect(watch.see([host('h1', 8, 0)], 11_000)).toEqual({ obeying: [], silent: ['h1'], untold: [] })
  })

  test('of a host that was started anew the run that lives counts', () => {
    const watch = new ObedienceWatch(1)
    watch.see([host('h1', 3, 0, 'old'), host('h1', 5, 0, 'new')], 0)
    expect(watch.see([host('h1', 3, 0, 'old'), host('h1', 6, 0, 'new')], 6000)).toEqual({ obeying: [], silent: [], untold: ['h1'] })
    expect(watch.see([host('h1', 3, 0, 'old'), host('h1', 7, 1, 'new')], 6500)).toEqual({ obeying: ['h1'], silent: [], untold: [] })
  })
})
