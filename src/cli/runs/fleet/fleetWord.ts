import { existsSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { CornermanError } from '../../../core/error.ts'
import { FleetKey } from '../../../fleet/fleetKey.ts'
import {
  FleetConnection,
  InDoubt,
  type Obedience,
  ObedienceWatch,
  OrderSigner,
  openBotTables,
  readObedience,
  readOrder,
} from '../../../live/fleet/index.ts'
import type { Control } from '../../control.ts'
import { EXIT } from '../../exit.ts'
import { loadConfig } from '../../loadConfig.ts'
import { saidTo } from '../start/sharedWord.ts'
import { expectKey, statedKey } from './botFleet.ts'
import { databaseUrl, type FleetOption } from './openFleet.ts'

// What `stop --fleet` and `modes --fleet` share: each leaves a word in the database, and sees which hosts take it up.

/** How long a host that lives is waited for to say that it obeys. */
const PATIENCE_MS = 15_000
/** How long the database is asked again. */
const DATABASE_MS = 10_000
const LOOK_EVERY_MS = 100
const CONFIG = 'bots.config.ts'

interface Whose {
  /** The command that says it, and how its messages end. */
  readonly command: string
  readonly nothing: string
  readonly fleet: FleetOption
  /** Default: that of the environment, or of the config in this folder. */
  readonly key?: FleetKey
}

/** What was said of a fleet, and who obeys. */
export interface SaidToFleet extends Obedience {
  readonly control: Control
  /** Counts the words of the fleet. */
  readonly n: number
}

/**
 * Says something to all hosts of a fleet, and waits until each obeys, or nothing of it can leave any more.
 *
 * @param bots of whom it is said; none: of all
 * @throws CornermanError `USAGE`, `SECRET_MISSING`, `FLEET_KEY`, `FLEET_PACKAGES`, `FLEET_REFUSED`, `FLEET_UNREACHABLE`
 */
export async function sayToFleet(whose: Whose, bots: readonly string[], change: (before: Control) => Control): Promise<SaidToFleet> {
  const key = whose.key ?? (await keyHere(whose))
  const connection = new FleetConnection({ url: databaseUrl(whose.fleet) })
  const by = `${userInfo().username}@${hostname()}`
  try {
    const signer = await inTime(whose, 'Nothing is known of whether it was said', async () => {
      await expectFleetBots(connection, whose, bots)
      const id = await openBotTables(connection)
      await expectKey(connection, key)
      return new OrderSigner(key, id)
    })
    for (let above = 0; ; ) {
      const saying = { signer, by, change, above }
      const { order, said } = await inTime(whose, 'Whether it was said is not known: say it again', () => saidTo(connection, saying))
      const { highest, ...obedience } = await inTime(whose, 'It was said; whether all hosts obey is not known', () =>
        obeyed(connection, order.n),
      )
      // A host that was silent has seen a later order, and refuses this one.
      if (highest <= order.n || (await newestOf(connection)) !== order.n) return { ...obedience, control: said, n: order.n }
      above = highest
    }
  } finally {
    connection.close()
  }
}

async function expectFleetBots(connection: FleetConnection, { command, nothing }: Whose, bots: readonly string[]): Promise<void> {
  const [found] = await connection.ask<{ there: boolean }>("SELECT to_regclass('cornerman_fleet.control') IS NOT NULL AS there")
  if (found?.there !== true) throw new CornermanError('USAGE', `${command}: no fleet has played on this database. ${nothing}`)
  const rows = await connection.ask<{ bot: string }>('SELECT bot FROM cornerman_fleet.bots ORDER BY bot')
  const known = rows.map(({ bot }) => bot)
  const strangers = bots.filter((bot) => !known.includes(bot))
  if (strangers.length === 0) return
  throw new CornermanError(
    'USAGE',
    `${command}: the fleet has no bot ${strangers.join(', ')}: there is ${known.join(', ') || 'none'}. ${nothing}`,
  )
}

/** Without the key nothing but a stop of everything can be said. @throws CornermanError `FLEET_KEY`, or as a config does */
async function keyHere({ command, nothing }: Whose): Promise<FleetKey> {
  const here = process.env.CORNERMAN_FLEET_KEY
  if (here !== undefined && here !== '') return new FleetKey(here)
  const fleet = existsSync(CONFIG) ? (await loadConfig(CONFIG)).fleet : undefined
  const stated = statedKey(fleet)
  if (stated !== undefined) return new FleetKey(stated)
  throw new CornermanError(
    'FLEET_KEY',
    `${command}: CORNERMAN_FLEET_KEY is not set, and hosts obey only what is signed with it. ${nothing}. Without the key, this stops every bot of the fleet: psql -c 'DELETE FROM cornerman_fleet.control'`,
  )
}

async function newestOf(connection: FleetConnection): Promise<number | undefined> {
  return (await readOrder(connection)).order?.n
}

async function obeyed(connection: FleetConnection, n: number): Promise<Obedience & { readonly highest: number }> {
  const watch = new ObedienceWatch(n)
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const now = performance.now()
    const hosts = await readObedience(connection)
    const obedience = watch.see(hosts, now)
    const highest = Math.max(0, ...hosts.filter(({ host }) => !obedience.silent.includes(host)).map(({ obeys }) => obeys))
    if (obedience.untold.length === 0 || highest > n || now >= until) return { ...obedience, highest }
    await delay(LOOK_EVERY_MS)
  }
}

/** Said twice it comes to the same. */
async function inTime<T>({ command }: Whose, known: string, act: () => Promise<T>): Promise<T> {
  const until = performance.now() + DATABASE_MS
  for (;;) {
    try {
      return await act()
    } catch (thrown) {
      if (!(thrown instanceof InDoubt)) throw thrown
      if (performance.now() > until)
        throw new CornermanError(
          'FLEET_UNREACHABLE',
          `${command}: the database of the fleet does not answer (${thrown.message}). ${known}. A host that does not reach it enters nothing; stop --now without --fleet stops the bots of one host`,
          { cause: thrown },
        )
      await delay(LOOK_EVERY_MS)
    }
  }
}

/** For the document of a command. */
export const fleetDocument = ({ n, obeying, silent, untold }: SaidToFleet) => ({ n, obeying, silent, untold })

/** The same for a person. */
export function fleetText({ obeying, silent, untold }: SaidToFleet): string {
  const parts = [
    obeying.length > 0 ? `${obeying.join(', ')} ${obeying.length === 1 ? 'obeys' : 'obey'}` : '',
    silent.length > 0
      ? `${silent.join(', ')} ${silent.length === 1 ? 'makes' : 'make'} no beat: no entry leaves there any more, and the word is heard before anything is played`
      : '',
    untold.length > 0
      ? `${untold.join(', ')} ${untold.length === 1 ? 'lives and has' : 'live and have'} not said so within ${PATIENCE_MS / 1000} s: look at the log there, or end it`
      : '',
  ]
  return parts.filter((part) => part !== '').join('; ') || 'no host runs: it holds from the next start on'
}

export const fleetExit = ({ untold }: SaidToFleet): number => (untold.length === 0 ? EXIT.done : EXIT.failed)
