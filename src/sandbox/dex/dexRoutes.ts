import type { Trading } from '../chain/openTrading.ts'
import type { SandboxService } from '../sandboxService.ts'

export interface DexRequest {
  readonly method: string
  /** Below `/jup/`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

/** Paths below `/jup/`, each with how it is asked and what answers it. */
export type DexRoutes = Readonly<
  Record<string, readonly [method: 'GET' | 'POST', answer: (trading: Trading, request: DexRequest, service: SandboxService) => unknown]>
>
