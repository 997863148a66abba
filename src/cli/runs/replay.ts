import { type Divergence, type Replay, replayLog } from '../../backtest/index.ts'
import { systemClock } from '../../core/systemClock.ts'
import { timeoutOf } from '../../strategy/timeoutOf.ts'
import { EXIT } from '../exit.ts'
import { loadConfig } from '../loadConfig.ts'
import { isoTime, print } from '../output.ts'
import { progressOfBytes } from '../progress.ts'

export interface ReplayOptions {
  readonly verify?: boolean
  readonly config: string
  readonly json?: boolean
}

const MOST_SHOWN = 5

export async function replay(log: string, options: ReplayOptions): Promise<number> {
  const { bots, service } = await loadConfig(options.config)
  const paths = service.kind === 'contestService' ? service.paths : {}
  const progress = progressOfBytes()
  const replayed = await replayLog({
    ...{ log, bots, paths, timeoutMs: timeoutOf(service), clock: systemClock },
    onProgress: progress.update,
  }).finally(progress.end)
  print(options.json, documentOf(replayed), linesOf(replayed))
  // What a damaged log came to is no word about the strategies.
  const isRefuted = replayed.divergences > 0 || (replayed.decisions === 0 && replayed.partial.decisions > 0)
  return replayed.damage.length > 0 || (options.verify === true && isRefuted) ? EXIT.failed : EXIT.done
}

const documentOf = ({ decisions, matched, diverged, ...rest }: Replay) => ({ decisions, matched, diverged, ...rest })

function linesOf({ bot, runs, partial, inputs, decisions, matched, diverged, divergences, damage, changedCode, silent }: Replay): string[] {
  const lines = [
    `${bot}: ${inputs} inputs of ${runs} ${runs === 1 ? 'run' : 'runs'}; ${matched} of ${decisions} decisions came out as recorded`,
  ]
  if (partial.runs > 0)
    lines.push(
      `the log lacks the beginning of ${partial.runs} of the runs: the ${partial.decisions} decisions of what there is of them cannot be replayed`,
    )
  for (const message of damage.slice(0, MOST_SHOWN)) lines.push(`the log is damaged: ${message}`)
  if (changedCode.length > 0) lines.push(`the code of ${changedCode.join(', ')} is not what it was when this was recorded`)
  if (silent.length > 0)
    lines.push(
      `${silent.join(', ')} did not say again what was recorded, and was waited for once: from there on the recording speaks for it`,
    )
  for (const divergence of diverged.slice(0, MOST_SHOWN)) lines.push(...describe(divergence))
  if (divergences > MOST_SHOWN) lines.push(`and ${divergences - MOST_SHOWN} more: after the first one most are its consequences`)
  return lines
}

function describe({ seq, at, recorded, replayed, input }: Divergence): string[] {
  const place = seq === 0 ? 'the run as a whole' : `input ${seq} at ${isoTime(at)}`
  return [
    `diverged at ${place}`,
    `  input     ${JSON.stringify(input)}`,
    `  recorded  ${JSON.stringify(recorded)}`,
    `  replayed  ${JSON.stringify(replayed)}`,
  ]
}
