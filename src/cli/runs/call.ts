import { isProcedureName, PROCEDURE_NAMES, procedures } from '../../contract/procedures.ts'
import { CornermanError, messageOf } from '../../core/error.ts'
import { systemClock } from '../../core/systemClock.ts'
import { HttpService } from '../../live/index.ts'
import { EXIT } from '../exit.ts'
import { loadConfig } from '../loadConfig.ts'
import { pickBots } from '../pickBots.ts'
import { openService, runningSandbox } from '../service.ts'

export interface CallOptions {
  readonly config: string
  readonly bot?: string
  readonly dataDir: string
}

export async function call(procedure: string, input: string | undefined, options: CallOptions): Promise<number> {
  if (!isProcedureName(procedure)) {
    throw new CornermanError('PROCEDURE_UNKNOWN', `${procedure} is not a procedure; the service has ${PROCEDURE_NAMES.join(', ')}`)
  }
  const body = readInput(input)
  const access = await openAccess(options)
  const service = new HttpService({ ...access, clock: systemClock })
  try {
    const answer = await service.raw(procedures[procedure].kind, procedure, body).catch((cause: unknown) => {
      const problem = `${access.url} does not answer (${messageOf(cause)}): check service.url and the network`
      throw new CornermanError('SERVICE_UNREACHABLE', problem, { cause })
    })
    if (answer.ok) process.stdout.write(`${JSON.stringify(answer.json, null, 2)}\n`)
    else process.stderr.write(`HTTP ${answer.status}: ${answer.said}\n`)
    return answer.ok ? EXIT.done : EXIT.failed
  } finally {
    await service.close()
    await access.close()
  }
}

/** The sandbox that runs is called where it runs; one that does not is opened for this call. */
async function openAccess(options: CallOptions): Promise<{ url: string; agentKey: string; timeoutMs: number; close(): Promise<void> }> {
  const config = await loadConfig(options.config)
  const bot = options.bot ?? config.bots[0]?.name ?? ''
  const alone = pickBots(config, [bot])
  const running = config.service.kind === 'sandbox' ? runningSandbox(options.dataDir) : undefined
  const key = running?.agents.find(({ name }) => name === bot)?.key
  if (running !== undefined && key !== undefined)
    return { url: running.url, agentKey: key, timeoutMs: 5000, close: () => Promise.resolve() }
  const access = await openService(alone, { dataDir: options.dataDir, configFile: options.config })
  return { url: access.url, agentKey: access.keys.get(bot) ?? '', timeoutMs: access.timeoutMs, close: access.close }
}

function readInput(input: string | undefined): unknown {
  if (input === undefined) return null
  try {
    return JSON.parse(input) as unknown
  } catch (thrown) {
    throw new CornermanError(
      'INPUT_INVALID',
      `the input ${input} is not JSON (${messageOf(thrown)}); quote it for the shell: '{"limit":5}'`,
    )
  }
}
