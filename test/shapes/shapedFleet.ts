import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { probeFirst } from '../../src/cli/runs/start/probeFirst.ts'
import type { Shapes } from '../../src/contract/shapes/shapes.ts'
import type { Usdc } from '../../src/core/usdc.ts'
import type { BotConfig } from '../../src/strategy/config.ts'
import { config } from '../support/fleetBooks.ts'
import { startVirtualFleet, type VirtualFleet } from '../support/virtualFleet.ts'
import { type Audit, auditOf, type LoggedLine } from './audit.ts'
import { type ProxiedCall, type ShapeProxy, startShapeProxy } from './proxy.ts'
import type { ServiceShape } from './shape.ts'

// Bots that were told nothing but an address, on a virtual clock, before a service of some shape.

export interface ShapedFleet extends VirtualFleet {
  /** What the bots have asked; nothing where they play at the sandbox itself. */
  readonly calls: readonly ProxiedCall[]
  readonly proxy: ShapeProxy | undefined
  readonly lines: () => readonly (LoggedLine & { readonly code?: string; readonly bot?: string })[]
  /** What came of each bot's contests. Ends the fleet and the sandbox: the file is shared with nobody. */
  audited(): Promise<readonly Audit[]>
}

export interface ShapedFleetOptions {
  /** Default: those of the project's config. */
  readonly bots?: readonly BotConfig[]
  /** Undefined: the bots play at the sandbox itself. */
  readonly shape?: ServiceShape | undefined
  /** What the config says of the answers; undefined: nothing. */
  readonly shapes?: Shapes | undefined
  /** What the config lets a probe cost before the bots play, in micro-USDC; undefined: there is none. */
  readonly probeMost?: Usdc | undefined
  /** Of the sandbox. */
  readonly seed?: number
}

export async function startShapedFleet({
  bots = config.bots,
  shape,
  shapes,
  probeMost,
  seed = 7,
}: ShapedFleetOptions): Promise<ShapedFleet> {
  const folder = mkdtempSync(join(tmpdir(), 'shaped-fleet-'))
  const dbFile = join(folder, 'sandbox.db')
  let proxy: ShapeProxy | undefined
  const configFile = join(folder, 'bots.config.ts')
  const told = {
    ...(shapes === undefined ? {} : { shapes }),
    ...(probeMost === undefined ? {} : { probe: { most: probeMost } }),
  }
  const fleet = await startVirtualFleet({
    config: { ...config, bots: [...bots] },
    configFile,
    before: (process) => probeFirst({ ...process, configFile, signal: new AbortController().signal }),
    sandbox: { dbFile, seed },
    at: (url) => ({ kind: 'contestService', url, timeoutMs: 5000, paths: {}, sandbox: shape === undefined, ...told }),
    ...(shape === undefined
      ? {}
      : {
          between: async (target, { sandbox, clock }) => {
            const agents = sandbox.agents.map(({ name, key, agentId }) => ({ key, agentId, handle: name }))
            proxy = await startShapeProxy({ target, shape, agents, now: () => clock.now() })
            return proxy
          },
        }),
  })
  const lines = () => fleet.log.map((line) => JSON.parse(line) as LoggedLine)
  let ended: Promise<void> | undefined
  const end = () => {
    ended ??= Promise.resolve(fleet[Symbol.asyncDispose]())
    return ended
  }
  // `fleet` itself has getters, which a copy would not have.
  return Object.create(fleet, {
    calls: { get: () => proxy?.calls ?? [] },
    proxy: { get: () => proxy },
    lines: { value: lines },
    audited: {
      async value() {
        const { agents } = fleet.sandbox
        await end()
        return agents.map(({ agentId }) => auditOf({ file: dbFile, agentId, lines: lines() }))
      },
    },
    [Symbol.asyncDispose]: {
      async value() {
        await end()
        rmSync(folder, { recursive: true, force: true })
      },
    },
  }) as ShapedFleet
}
