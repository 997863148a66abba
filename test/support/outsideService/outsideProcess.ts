import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { SandboxAddress } from './sandboxMarket.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

const readySchema = z.object({
  url: z.string(),
  ownerToken: z.string(),
  agents: z.array(z.object({ name: z.string(), agentId: z.string(), userId: z.string(), key: z.string() })),
})

const logSchema = z.object({
  moves: z.array(z.object({ at: z.number(), contestId: z.string(), mode: z.string(), type: z.string() })),
  outcomes: z.array(z.looseObject({ contestId: z.string(), mode: z.string(), result: z.string(), moves: z.array(z.string()) })),
  withoutMove: z.array(z.looseObject({ contestId: z.string(), mode: z.string(), needs: z.string() })),
})
const auditSchema = z.looseObject({ agrees: z.boolean(), stranded: z.array(z.string()) })

/** The service in a process of its own. */
export interface OutsideProcess extends z.output<typeof readySchema>, AsyncDisposable {
  readonly child: ChildProcess
  /** Resolves with the exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>
  audit(): Promise<z.output<typeof auditSchema>>
  /** Every move and outcome of the agent, and the settled contests that got no move of it. */
  log(agent: string): Promise<z.output<typeof logSchema>>
}

/**
 * Starts `main.ts` on the market of a sandbox process, and waits for its line.
 *
 * @param args such as `--speed 2`; `main.ts` lists them
 */
export async function startOutsideProcess(sandbox: SandboxAddress, args: readonly string[] = []): Promise<OutsideProcess> {
  const { url, agents } = sandbox
  const child = spawn(process.execPath, [MAIN, '--sandbox', JSON.stringify({ url, agents }), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text))
  const failed = exited.then((code) => Promise.reject(new Error(`the service ended with ${code} before it was ready`)))
  // Once it is ready, its end is what `exited` tells.
  failed.catch(() => {})
  const ready = readySchema.parse(JSON.parse(await Promise.race([line, failed])))
  const owner = async (path: string): Promise<unknown> => {
    const response = await fetch(`${ready.url}/owner/${path}`, { headers: { 'x-owner-token': ready.ownerToken } })
    return response.json()
  }
  return {
    ...ready,
    child,
    exited,
    audit: async () => auditSchema.parse(await owner('audit')),
    log: async (agent) => logSchema.parse(await owner(`log?agent=${encodeURIComponent(agent)}`)),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
