import { Agent, fetch } from 'undici'
import { z } from 'zod'
import { type CornermanRun, runCornerman } from './runCornerman.ts'

const readySchema = z.object({
  url: z.string(),
  ownerToken: z.string(),
  agents: z.array(
    z.object({ name: z.string(), agentId: z.string(), key: z.string(), wallet: z.string(), webhookSecret: z.string().optional() }),
  ),
})
export type SandboxReady = z.infer<typeof readySchema>
export type SandboxAgentKey = SandboxReady['agents'][number]

/** A sandbox in a process of its own, and calls to it; every one of them fails once the process is gone. */
export interface SandboxProcess extends SandboxReady {
  readonly run: CornermanRun
  /** What a procedure answers: its output, or the `appCode` it was refused with. */
  call(agent: SandboxAgentKey, procedure: string, input?: unknown): Promise<{ readonly output: unknown } | { readonly appCode: string }>
  /** What the DEX's API or the chain's RPC answers: a GET, or a POST of `body` where there is one. */
  json(path: string, body?: unknown): Promise<unknown>
  owner(path: string): Promise<unknown>
  /** SIGKILL: the process learns nothing of it. */
  kill(): Promise<void>
}

/** Starts `cornerman sandbox --json` and waits for its line. */
export async function startSandboxProcess(args: readonly string[]): Promise<SandboxProcess> {
  const run = runCornerman(['sandbox', '--json', ...args])
  const ready = await readyLine(run)
  const dispatcher = new Agent({ connections: 64 })
  return {
    ...ready,
    run,
    async call({ key }, procedure, input = null) {
      const body = JSON.stringify({ json: input })
      const isAction = ACTIONS.test(procedure)
      const response = isAction
        ? await fetch(`${ready.url}/${procedure}`, {
            method: 'POST',
            headers: { 'x-agent-key': key, 'content-type': 'application/json' },
            body,
            dispatcher,
          })
        : await fetch(`${ready.url}/${procedure}?input=${encodeURIComponent(body)}`, { headers: { 'x-agent-key': key }, dispatcher })
      const answer = answerSchema.parse(await response.json())
      if (answer.result !== undefined) return { output: answer.result.data.json }
      return { appCode: answer.error?.json.data.appCode ?? `HTTP ${response.status}` }
    },
    async json(path, body) {
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const response = await fetch(`${ready.url}/${path}`, { ...(body === undefined ? {} : post), dispatcher })
      return response.json()
    },
    async owner(path) {
      const response = await fetch(`${ready.url}/owner/${path}`, { headers: { 'x-owner-token': ready.ownerToken }, dispatcher })
      return response.json()
    },
    async kill() {
      run.child.kill('SIGKILL')
      await run.exited
      await dispatcher.destroy()
    },
  }
}

const ACTIONS = /^agent\.(?:queue\.(?:enqueue|cancel)|contests\.(?:create|join|leave|ready)|modes\.(?!state)\w+|trade\.signAndSend)$/

const answerSchema = z.object({
  result: z.object({ data: z.object({ json: z.unknown() }) }).optional(),
  error: z.object({ json: z.object({ data: z.object({ appCode: z.string() }) }) }).optional(),
})

function readyLine(run: CornermanRun): Promise<SandboxReady> {
  return new Promise((resolve, reject) => {
    run.child.stdout?.on('data', () => {
      const [line, rest] = run.stdout().split('\n')
      if (line !== undefined && rest !== undefined) resolve(readySchema.parse(JSON.parse(line)))
    })
    void run.exited.then((code) => reject(new Error(`the sandbox ended with ${code} before it was ready:\n${run.stderr()}`)))
  })
}
