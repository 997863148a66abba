import { parseArgs } from 'node:util'
import { systemClock } from '../../../src/core/systemClock.ts'
import { OutsideService, scriptSchema } from './outsideService.ts'
import { openSandboxMarket, type SandboxAddress } from './sandboxMarket.ts'

// The service as a process, on the market of a sandbox. It prints one line of JSON once it listens, and ends by SIGTERM, SIGINT or with its stdin.

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    /** Names, separated by commas; each is one of the sandbox's. */
    agents: { type: 'string' },
    /** The line that `cornerman sandbox --json` printed. */
    sandbox: { type: 'string' },
    speed: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    /** JSON: what OutsideService.open takes as `script`, `pace` and `trouble`. */
    script: { type: 'string', default: '[]' },
    pace: { type: 'string', default: '{}' },
    trouble: { type: 'string', default: '{}' },
  },
})
if (values.sandbox === undefined) throw new Error('--sandbox is missing: the line that the sandbox printed')
const sandbox = JSON.parse(values.sandbox) as SandboxAddress
const names = values.agents?.split(',') ?? sandbox.agents.map(({ name }) => name)

const service = await OutsideService.open({
  clock: systemClock,
  market: await openSandboxMarket(sandbox),
  agents: names.map((name) => {
    const agent = sandbox.agents.find((candidate) => candidate.name === name)
    if (agent === undefined) throw new Error(`the sandbox has no agent ${name}`)
    return { name, agentId: agent.agentId }
  }),
  port: Number(values.port),
  seed: Number(values.seed),
  pace: { ...(JSON.parse(values.pace) as object), speed: Number(values.speed) },
  trouble: JSON.parse(values.trouble) as object,
  script: scriptSchema.parse(JSON.parse(values.script)),
})

const end = () => void service.close().then(() => process.exit(0))
process.once('SIGTERM', end)
process.once('SIGINT', end)
// The other end of stdin goes when the parent does, however that ends.
process.stdin.once('end', end).resume()

const { url, agents, ownerToken } = service
process.stdout.write(`${JSON.stringify({ url, ownerToken, agents })}\n`)
