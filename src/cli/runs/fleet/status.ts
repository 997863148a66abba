import { existsSync } from 'node:fs'
import { textTable } from '../../../backtest/table/textTable.ts'
import { type FleetFitness, fitnessOf, placeIn, refusalOf } from '../../../live/fleet/index.ts'
import { isHeld } from '../../../live/index.ts'
import { formatDuration } from '../../duration.ts'
import { print } from '../../output.ts'
import { type FleetPlace, patiently, withFleet } from './botFleet.ts'
import { type FleetState, type StatedBot, type StatedHost, stateOf } from './fleetState.ts'
import { shownFitness } from './init.ts'
import { copyFile } from './journalFiles.ts'

export interface StatusOptions extends FleetPlace {
  /** Of this host: how far its copies are is shown, too. */
  readonly dataDir?: string
  readonly json?: boolean
}

/** Why a bot stands still, and what is to be done. */
const HELD: Readonly<Record<string, string>> = {
  rolledBack: 'the database has lost what it had answered for: cornerman fleet mend, on the host with the longest copy',
  altered: 'its journal in the database is not what was written there: see who did that, then cornerman fleet mend',
  adopting: 'a journal is being adopted; where nobody does so any more, run cornerman fleet adopt once more',
  rekeying: 'its journal is being sealed with another key; where nobody does so any more, run cornerman fleet rekey once more',
}

/** How far the copy on this host is; `isInUse`: of a host that runs, which alone can read it. */
interface StatedCopy {
  readonly bot: string
  readonly seq: number | null
  readonly behind: number | null
  readonly isInUse: boolean
}

/** What the hosts of a fleet do. @throws CornermanError what a fleet is refused with */
export async function fleetStatus(options: StatusOptions): Promise<void> {
  await withFleet(options, async (fleet) => {
    const { url, durability } = fleet.settings
    const fitness = await patiently(() => fitnessOf(fleet.connection, url, durability))
    const state = await stateOf(fleet)
    const { dataDir } = options
    const copies = dataDir === undefined ? undefined : state.bots.map((bot) => copyOf(dataDir, bot))
    const refusal = refusalOf(state.control ?? undefined, fleet.signer, undefined)
    const wrong = [...(refusal === undefined ? [] : [refusal]), ...wrongIn(state, fitness)]
    const { hosts, bots, wanted, control } = state
    const document = {
      ...{
        fleet: fleet.id,
        database: shownFitness(fitness),
        wanted,
        control: control === null ? null : { n: control.n, control: shownControl(control.control), by: control.by },
      },
      ...{ hosts, bots: bots.map(({ chain: _chain, ...bot }) => bot), copies: copies ?? null, wrong },
    }
    print(options.json, document, linesOf(state, fitness, copies, wrong))
  })
}

/** As it is where somebody has written no JSON there. */
function shownControl(control: string): unknown {
  try {
    return JSON.parse(control)
  } catch {
    return control
  }
}

function copyOf(dataDir: string, { bot, seq }: StatedBot): StatedCopy {
  const file = copyFile(dataDir, bot)
  if (!existsSync(file)) return { bot, seq: 0, behind: seq, isInUse: false }
  if (isHeld(file)) return { bot, seq: null, behind: null, isInUse: true }
  const place = placeIn(file)
  return { bot, seq: place?.seq ?? null, behind: place === undefined ? null : seq - place.seq, isInUse: false }
}

/** In words, the worst first. */
function wrongIn(state: FleetState, { lacking, system }: FleetFitness): string[] {
  const { hosts, bots, wanted } = state
  const alive = hosts.filter(({ isAlive }) => isAlive)
  const aliveRuns = new Set(alive.map(({ run }) => run))
  const other = state.system !== undefined && system !== undefined && state.system !== system
  return [
    ...(other ? ['this is another database than the fleet was made on: cornerman fleet accept-database, where that is meant'] : []),
    ...bots.filter(({ held }) => held !== null).map(({ bot, held }) => `${bot} stands still: ${HELD[held ?? ''] ?? held}`),
    ...(alive.length === 0 ? ['no host is alive: nothing is played. cornerman start --fleet on a host'] : []),
    ...bots.flatMap(({ bot, run, host, held }) => {
      if (held !== null || (run !== null && aliveRuns.has(run))) return []
      const able = alive.filter((one) => one.bots.includes(bot) && !one.isDraining)
      const whose = run === null ? 'nobody plays it' : `${host ?? 'a host that was taken out'} has it, and is silent`
      return [
        `${bot}: ${whose}; ${able.length === 0 ? 'no host that is alive could' : `it is for ${able.map((one) => one.host).join(' or ')} to claim it`}`,
      ]
    }),
    ...alive
      .filter(({ unheardMs }) => (unheardMs ?? 0) > 0)
      .map(
        ({ host, unheardMs }) => `the service has not answered ${host} for ${formatDuration(unheardMs ?? 0)}: see whether it reaches it`,
      ),
    ...(wanted === null
      ? []
      : alive
          .filter(({ version }) => version !== wanted.version)
          .map(
            ({ host }) =>
              `${host} has another version than the one that plays, so it plays nothing: cornerman fleet use, on a host of the one that is to play`,
          )),
    ...lacking.map(({ words }) => `the database: ${words}`),
  ]
}

function linesOf(state: FleetState, fitness: FleetFitness, copies: readonly StatedCopy[] | undefined, wrong: readonly string[]): string[] {
  const { hosts, bots, wanted, control } = state
  const commits = `synchronous_commit ${fitness.synchronousCommit}, standbys ${fitness.synchronousStandbyNames === '' ? 'none' : fitness.synchronousStandbyNames}`
  return [
    `PostgreSQL ${fitness.version}: ${fitness.durability === 'standby' ? commits : `${commits}, taken as given`}`,
    `version ${wanted === null ? 'none said' : `${wanted.version}, by ${wanted.by}`}; ${control === null ? 'nothing stopped' : `word ${control.n} of ${control.by}: ${control.control}`}`,
    ...['', ...(hosts.length === 0 ? ['no hosts'] : textTable(hosts.map((host) => rowOfHost(host, bots, wanted?.version))))],
    ...['', ...(bots.length === 0 ? ['no bots'] : textTable(bots.map((bot) => rowOfBot(bot, copies))))],
    ...(wrong.length === 0 ? [] : ['', ...wrong]),
  ]
}

function rowOfHost(
  { host, run, isAlive, silentSeconds, version, isDraining, obeys, page }: StatedHost,
  bots: readonly StatedBot[],
  wanted: string | undefined,
): string[] {
  const held = bots.filter((bot) => bot.run === run).length
  return [
    ...[host, isAlive ? 'alive' : `silent for ${formatDuration(1000 * silentSeconds)}`, `${held} ${held === 1 ? 'bot' : 'bots'}`],
    `version ${version}${wanted === undefined || wanted === version ? '' : ', not the one that plays'}`,
    ...[isDraining ? 'gives all away' : '', `obeys word ${obeys}`, page ?? ''],
  ]
}

function rowOfBot(
  { bot, host, run, epoch, seq, since, held, wish, movedTo }: StatedBot,
  copies: readonly StatedCopy[] | undefined,
): string[] {
  const copy = copies?.find((one) => one.bot === bot)
  const lag =
    copy === undefined ? '' : copy.isInUse ? 'copy in use' : `copy ${copy.behind === 0 ? 'whole' : `${copy.behind ?? '?'} behind`}`
  return [
    ...[bot, host ?? (run === null ? 'nobody' : 'a host that is gone'), `turn ${epoch}`, `record ${seq}`],
    since === null ? '' : `since ${new Date(since).toISOString()}`,
    held === null ? '' : `stands still (${held})`,
    ...[wish === null ? '' : `wanted on ${wish}`, movedTo === null ? '' : `let go for ${movedTo}`, lag],
  ]
}
