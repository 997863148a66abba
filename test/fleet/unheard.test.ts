import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Cluster, postgresPrograms } from '../support/fleet/cluster.ts'
import { Failover } from '../support/fleet/failover.ts'

// A host that the service does not answer, beside one that plays nothing. It lasts two minutes: with UNHEARD=yes.

const BOTS = ['bot-0', 'bot-1', 'bot-2']
const isWanted = process.env.UNHEARD !== undefined && postgresPrograms() !== undefined

test.skipIf(!isWanted)('bots go to the host that is answered; while none is, they stay; one that is answered again has them', async () => {
  const cluster = await Cluster.open(['fsync=on'])
  const fleet = await Failover.open({ url: await cluster.database('unheard'), key: 'ab'.repeat(32), bots: BOTS })
  const query = (text: string) => cluster.query<{ host: string }>('unheard', text)
  const holders = async () =>
    (await query('SELECT host FROM cornerman_fleet.bots JOIN cornerman_fleet.hosts USING (run)')).map(({ host }) => host)
  const all = (host: string) =>
    expect.poll(() => holders().catch(() => []), { timeout: 60_000, interval: 200 }).toEqual(BOTS.map(() => host))
  const tell = (words: string, since: number) => void process.stderr.write(`${words} ${Date.now() - since} ms\n`)
  try {
    await fleet.start('h1')
    await all('h1')
    await fleet.start('h2')
    await sleep(8000)
    const [first, second] = [await fleet.linksOf('h1'), await fleet.linksOf('h2')]
    const cutAt = Date.now()
    first.service.cut()
    await all('h2')
    tell('all at h2 after', cutAt)
    second.service.cut()
    await sleep(50_000)
    await all('h2')
    expect(await query('SELECT host FROM cornerman_fleet.epochs')).toHaveLength(2 * BOTS.length)
    const healedAt = Date.now()
    first.service.heal()
    await all('h1')
    tell('all at h1 again after', healedAt)
  } finally {
    await fleet.close()
    await cluster.close()
  }
})
