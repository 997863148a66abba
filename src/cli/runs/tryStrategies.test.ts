import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../loadConfig.ts'
import { tryStrategies } from './tryStrategies.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const fileOf = (name: string) => `${ROOT}/strategies/${name}.ts`
const config = await loadConfig(`${ROOT}/bots.config.ts`)
const own = config.bots[0]?.strategies ?? []
const tried = async (...names: string[]) => (await tryStrategies(config, names.map(fileOf))).bots.map(({ strategies }) => strategies)

describe('strategies that are tried', () => {
  test('are asked before the bot’s own, in the order they were named in', async () => {
    const [strategies = [], ...others] = await tried('contrarian', 'holder')
    expect(others).toEqual([])
    expect(strategies.slice(0, 2).map(({ name }) => name)).toEqual(['contrarian', 'holder'])
    const rest = own.map(({ name }) => name).filter((name) => name !== 'contrarian' && name !== 'holder')
    expect(strategies.slice(2).map(({ name }) => name)).toEqual(rest)
  })

  test('take the place of the bot’s own policies where they choose what to enter', async () => {
    const [strategies = []] = await tried('sniper')
    expect(strategies.filter(({ kind }) => kind === 'queue').map(({ name }) => name)).toEqual(['sniper'])
  })

  test('are refused where two of them choose what to enter, or two have the same name', async () => {
    await expect(tried('ladder', 'sniper')).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('ladder and sniper both choose what to enter'),
    })
    await expect(tried('holder', 'holder')).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('holder twice') })
  })
})
