import { setTimeout as sleep } from 'node:timers/promises'
import { CornermanError } from '../../../core/error.ts'
import { systemOf } from '../../../live/fleet/index.ts'
import { EXIT } from '../../exit.ts'
import { loadConfig } from '../../loadConfig.ts'
import { print } from '../../output.ts'
import { type BotFleet, type FleetPlace, patiently, withFleet } from './botFleet.ts'
import { botsOf, expectBot, expectHost, type StatedBot, stateOf } from './fleetState.ts'
import { versionOf } from './version.ts'

const LOOK_MS = 500
/** A bot with something in flight waits for its answer. */
const MOVE_MS = 60_000

export interface ActOptions extends FleetPlace {
  readonly json?: boolean
}

/** This installation with this config is what plays from now on. @throws CornermanError what a fleet is refused with, or as a config does */
export async function useVersion(options: ActOptions): Promise<void> {
  const version = versionOf(await loadConfig(options.config))
  await withFleet(options, async (fleet) => {
    const { wanted, hosts } = await stateOf(fleet)
    if (wanted?.version !== version)
      await fleet.ask(
        `INSERT INTO cornerman_fleet.wanted (one, n, version, by) VALUES (1, 1, $1, $2)
           ON CONFLICT (one) DO UPDATE SET n = wanted.n + 1, version = excluded.version, by = excluded.by, at = clock_timestamp()
           WHERE wanted.version <> excluded.version`,
        [version, fleet.by],
      )
    const alive = hosts.filter(({ isAlive }) => isAlive)
    const [having, lacking] = [true, false].map((has) =>
      alive.filter((host) => (host.version === version) === has).map(({ host }) => host),
    ) as [string[], string[]]
    const before = wanted?.version ?? null
    print(options.json, { version, before, having, lacking }, [
      before === version
        ? `version ${version} plays already`
        : `version ${version} plays from now on${before === null ? '' : `, in place of ${before}`}`,
      having.length === 0
        ? 'no host that is alive has it: until one has, the bots are played on as they are'
        : `hosts that have it: ${having.join(', ')}`,
      ...(lacking.length === 0 ? [] : [`hosts that have not, and hand over what they play: ${lacking.join(', ')}`]),
    ])
  })
}

export interface MoveOptions extends ActOptions {
  readonly to: string
}

/**
 * Has the holder of a bot hand it to another host, once nothing of it is in flight.
 *
 * @returns 1 where it has not come there within a minute: it still is to
 * @throws CornermanError `BOT_UNKNOWN`, `HOST_UNKNOWN`, `USAGE` where that host could not play it
 */
export function moveBot(bot: string, options: MoveOptions): Promise<number> {
  return withFleet(options, async (fleet) => {
    const state = await stateOf(fleet)
    const { run, host: from, held } = expectBot(state, bot)
    const to = expectHost(state, options.to)
    if (held !== null)
      throw new CornermanError('USAGE', `${bot} stands still (${held}), so nobody can have it: cornerman fleet says what is to be done`)
    if (!to.bots.includes(bot))
      throw new CornermanError('USAGE', `${to.host} could not play ${bot}: it has no key of it, or could not play it before`)
    if (to.isDraining) throw new CornermanError('USAGE', `${to.host} gives all its bots away, so it takes none`)
    if (state.wanted !== null && to.version !== state.wanted.version)
      throw new CornermanError('USAGE', `${to.host} has another version than the one that plays, so it takes none: cornerman fleet use`)
    const isThere = run === to.run
    // Where nobody has it, nobody would let go of it.
    if (!isThere)
      await fleet.ask(
        'UPDATE cornerman_fleet.bots SET wish = $2, moved_to = CASE WHEN run IS NULL THEN $2 ELSE moved_to END WHERE bot = $1',
        [bot, to.host],
      )
    const isMoved = isThere || (await until(fleet, MOVE_MS, (bots) => expectBot({ bots }, bot).run === to.run))
    const words = isThere
      ? `${bot} is there already`
      : isMoved
        ? `${bot} is played by ${to.host} now`
        : `${bot} is still with ${from ?? 'nobody'}: it goes to ${to.host} once nothing of it is in flight`
    print(options.json, { bot, from, to: to.host, isMoved }, [words])
    return isMoved ? EXIT.done : EXIT.failed
  })
}

export interface DrainOptions extends ActOptions {
  /** How long it is waited for, in milliseconds. */
  readonly for: number
}

/**
 * Has a host give all its bots away and claim none, until it is started anew.
 *
 * @returns 1 where it has not given all of them away in time: it still is to
 * @throws CornermanError `HOST_UNKNOWN`, `USAGE` where no other host could take them
 */
export function drainHost(name: string, options: DrainOptions): Promise<number> {
  return withFleet(options, async (fleet) => {
    const state = await stateOf(fleet)
    const { run } = expectHost(state, name)
    const had = state.bots.filter((bot) => bot.run === run)
    const others = state.hosts.filter((host) => host.isAlive && host.run !== run && !host.isDraining)
    const alone = had.filter(({ bot }) => !others.some(({ bots }) => bots.includes(bot))).map(({ bot }) => bot)
    if (alone.length > 0)
      throw new CornermanError(
        'USAGE',
        `no other host that is alive could play ${alone.join(', ')}: start one, or stop ${name} itself, which plays them to the end of what they have open`,
      )
    await fleet.ask('UPDATE cornerman_fleet.hosts SET draining = true WHERE run = $1', [run])
    const isDrained = await until(fleet, options.for, (bots) => bots.every((bot) => bot.run !== run))
    const now = new Map((await botsOf(fleet)).map((bot) => [bot.bot, bot]))
    const bots = had.map(({ bot }) => ({
      bot,
      to: now.get(bot)?.run === run ? null : (now.get(bot)?.host ?? null),
      isGiven: now.get(bot)?.run !== run,
    }))
    print(options.json, { host: name, isDrained, bots }, [
      ...(bots.length === 0 ? [`${name} had no bots`] : []),
      ...bots.map(({ bot, to, isGiven }) =>
        isGiven ? `${bot}: ${to === null ? 'let go, and not claimed yet' : `to ${to}`}` : `${bot}: still with ${name}`,
      ),
      isDrained
        ? `${name} plays nothing any more, and claims nothing until it is started anew`
        : `${name} gives the rest away once nothing of it is in flight: cornerman fleet shows it`,
    ])
    return isDrained ? EXIT.done : EXIT.failed
  })
}

/** The database that is there now is the fleet's, though it was made on another. @throws CornermanError what a fleet is refused with */
export async function acceptDatabase(options: ActOptions): Promise<void> {
  await withFleet(options, async (fleet) => {
    const system = await patiently(() => systemOf(fleet.connection))
    if (system === undefined)
      throw new CornermanError(
        'FLEET_REFUSED',
        'this database does not tell what it is, so no host compares it: there is nothing to accept',
      )
    const { system: before } = await stateOf(fleet)
    await fleet.ask(
      `WITH gone AS (DELETE FROM cornerman_fleet.facts WHERE key = 'timeline')
       INSERT INTO cornerman_fleet.facts VALUES ('system', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [system],
    )
    print(options.json, { system, before: before ?? null }, [
      before === system
        ? 'the fleet knows this database already'
        : `the database ${system} is the fleet's from now on${before === undefined ? '' : `, in place of ${before}`}`,
      'what its hosts have seen further on than it keeps standing still: cornerman fleet',
    ])
  })
}

/** @returns whether it came to be so in time */
async function until(fleet: BotFleet, forMs: number, isSo: (bots: readonly StatedBot[]) => boolean): Promise<boolean> {
  const end = performance.now() + forMs
  for (;;) {
    if (isSo(await botsOf(fleet))) return true
    if (performance.now() >= end) return false
    await sleep(LOOK_MS)
  }
}
