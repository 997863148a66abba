import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODES } from '../../../contract/modes.ts'
import { lackingIn } from '../../../contract/shapes/shapes.ts'
import { formatUsdc, type Usdc } from '../../../core/usdc.ts'
import { HttpService } from '../../../live/index.ts'
import { find } from '../../../probe/find/find.ts'
import { boundOf, type PlannedEntry, planOf, SWAP } from '../../../probe/plan.ts'
import { ProbeRecorder } from '../../../probe/probeRecorder.ts'
import type { BotConfig } from '../../../strategy/config.ts'
import { givenShapes, writeShapes } from '../../shapesFile.ts'
import { type PaidStageOptions, playPlan } from '../probe/paidStage.ts'
import { probeFolder, readFree } from './explore.ts'
import { foundShapesFile, isNamedSandbox } from './serviceMapping.ts'

export type ProbeFirstOptions = Omit<PaidStageOptions, 'recorder' | 'entries' | 'swap' | 'isAsked'>

/**
 * Of a service without a mapping, where the config consents to what it may cost: plays one contest of each mode that cannot be read at no
 * cost, once, before the bots play, and leaves what was found beside the data.
 *
 * @throws what stops a bot, such as `AGENT_IN_USE`
 */
export async function probeFirst({ config, configFile, access, dataDir, clock, log, signal }: ProbeFirstOptions): Promise<void> {
  const { service } = config
  const [bot] = config.bots
  if (service.kind !== 'contestService' || service.probe === undefined || bot === undefined) return
  if (givenShapes(service, configFile)?.isWhole === true || hasProbed(dataDir, service.url)) return
  const http = new HttpService({
    url: access.url,
    agentKey: access.keys.get(bot.name) ?? '',
    timeoutMs: access.timeoutMs,
    clock,
    steady: clock.steady,
  })
  const startedAt = clock.now()
  let recorder: ProbeRecorder
  try {
    if (await isNamedSandbox(http, service)) return
    recorder = new ProbeRecorder({ folder: probeFolder(dataDir, startedAt), service: service.url, startedAt })
    log.warn(
      `${service.url} has no mapping: what is free to read is read, and then one contest a mode is played for at most ${formatUsdc(service.probe.most)} USDC, as service.probe of ${configFile} allows`,
    )
    await readFree(http, recorder, { clock: clock.steady, signal })
  } finally {
    await http.close()
  }
  const found = () => ({ ...find(recorder.exchanges, recorder.facts).shapes, service: service.url })
  const { entries } = planOf({
    ...{ exchanges: recorder.exchanges, shapes: found(), modes: undefined, allowed: bot.guard.modes, swap: SWAP },
    ...{ stake: smallestStakeOf(bot), durationSec: undefined },
  })
  const affordable = within(entries, service.probe.most < bot.guard.dailyLoss ? service.probe.most : bot.guard.dailyLoss)
  const left = entries.filter((entry) => !affordable.includes(entry))
  if (left.length > 0) log.warn(`not played, since the bound does not reach so far: ${left.map(({ mode }) => mode).join(', ')}`)
  // Once, whatever comes of it: a process that dies begins no second one.
  writeFileSync(consentFile(dataDir), `${JSON.stringify({ service: service.url, at: new Date(startedAt).toISOString() })}\n`, {
    mode: 0o600,
  })
  const alone = { ...config, bots: [bot] }
  await playPlan({
    ...{ config: alone, configFile, access, dataDir, clock, log, recorder, signal },
    entries: affordable,
    swap: SWAP,
    isAsked: false,
  })
  const shapes = found()
  writeShapes(foundShapesFile(dataDir), shapes)
  const lacking = lackingIn(shapes)
  const playable = MODES.filter((mode) => !lacking.has(mode))
  log.info(
    `the probe is over: ${playable.length === 0 ? 'no mode can be played yet' : `${playable.join(', ')} can be played`}; recorded in ${recorder.folder}`,
  )
}

const consentFile = (dataDir: string): string => join(dataDir, 'probes', 'played.json')

function hasProbed(dataDir: string, url: string): boolean {
  const file = consentFile(dataDir)
  if (!existsSync(file)) return false
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly service?: unknown }).service === url
  } catch {
    // What was begun cannot be read: it is not begun again.
    return true
  }
}

/** As many of them as the bound allows, in their order. */
function within(entries: readonly PlannedEntry[], most: Usdc): readonly PlannedEntry[] {
  const taken: PlannedEntry[] = []
  for (const entry of entries) if (boundOf([...taken, entry]) <= most) taken.push(entry)
  return taken
}

/** Of what the bot's policies are called with: what it would stake by itself. */
function smallestStakeOf({ strategies, guard }: BotConfig): Usdc | undefined {
  const stakes = strategies.flatMap(({ kind, params }) => {
    const { stake } = (params ?? {}) as { readonly stake?: unknown }
    return kind === 'queue' && typeof stake === 'bigint' && stake > 0n && stake <= guard.maxStake ? [stake] : []
  })
  return stakes.reduce<Usdc | undefined>((least, stake) => (least === undefined || stake < least ? stake : least), undefined)
}
