import type { Trading } from '../chain/openTrading.ts'
import type { SandboxService } from '../sandboxService.ts'
import type { JsonAnswer } from '../server/jsonAnswer.ts'
import type { DexRequest, DexRoutes } from './dexRoutes.ts'
import { DexRefusal } from './jupiterErrors.ts'
import { SWAP_V1 } from './swapApiV1.ts'
import { SWAP_V2 } from './swapApiV2.ts'

const ROUTES: DexRoutes = { ...SWAP_V1, ...SWAP_V2 }

/** The Swap APIs as Jupiter's openapi files have them; undefined for a path that none of them has. */
export function answerDex(trading: Trading, request: DexRequest, service: SandboxService): JsonAnswer | undefined {
  const route = Object.hasOwn(ROUTES, request.path) ? ROUTES[request.path] : undefined
  if (route === undefined) return undefined
  const [method, answer] = route
  if (request.method !== method) return { status: 405, body: { error: `${request.path} is asked by ${method}` } }
  try {
    return { status: 200, body: answer(trading, request, service) }
  } catch (thrown) {
    if (thrown instanceof DexRefusal) return thrown.answer
    throw thrown
  }
}
