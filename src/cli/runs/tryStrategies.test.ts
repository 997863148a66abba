import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Mode } from '../../contract/modes.ts'
import { usdc } from '../../core/usdc.ts'
import { loadConfig } from '../loadConfig.ts'
import { tryStrategies } from './tryStrategies.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const fileOf = (name: string) => `${ROOT}/strategies/${name}.ts`
const config = await loadConfig(`${ROOT}/bots.config.ts`)
const own = config.bots[0]?.strategies ?? []
const termsOf = (mode: Mode) => ({ mode, stake: usdc('3'), durationSec: 1200 })
const tried = async (...names: string[]) =>
  (await tryStrategies(config, names.map(fileOf), termsOf)).bots.map(({ strategies }) => strategies)

describe('strategies that are tried', () => {
  test('that only play are asked about alone, in their modes, which a plain policy enters', async () => {
    const { bots } = await tryStrategies(config, ['contrarian', 'holder'].map(fileOf), termsOf)
    expect(bots.map(({ name }) => name)).toEqual(['contrarian'])
    expect(bots[0]?.strategies.map(({ name }) => name)).toEqual(['plain', 'contrarian', 'holder'])
    expect(bots[0]?.strategies[0]?.params).toEqual({ modes: ['draft_basket', 'last_bag_standing', 'same_token'] })
    expect(bots[0]?.guard).toMatchObject({ maxStake: usdc('3'), maxSwap: config.bots[0]?.guard.maxSwap })
  })

  test('take the place of the bot’s own policies where they choose what to enter', async () => {
    const [strategies = []] = await tried('sniper')
    expect(strategies.filter(({ kind }) => kind === 'queue').map(({ name }) => name)).toEqual(['sniper'])
  })

  test('that choose what to enter leave the playing to the bot’s own', async () => {
    const [strategies = []] = await tried('sniper')
    const players = own.filter(({ kind }) => kind !== 'queue').map(({ name }) => name)
    expect(strategies.slice(1).map(({ name }) => name)).toEqual(players)
  })

  test('are refused where two of them choose what to enter, or two have the same name', async () => {
    await expect(tried('ladder', 'sniper')).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('ladder and sniper both choose what to enter'),
    })
    await expect(tried('holder', 'holder')).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('holder twice') })
  })
})
