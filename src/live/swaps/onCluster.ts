import { defer, firstValueFrom, from, map, type Observable, of, switchMap } from 'rxjs'
import type { PathCheck, QuoteResult, SwapTrouble } from '../../pipeline/index.ts'
import { ChainRpc } from './chainRpc.ts'
import { clusterOf } from './clusterOf.ts'
import type { Dex, DexOptions } from './dex.ts'

/** A node that did not say of which chain it is is not asked again for so long. */
const UNSAID_MS = 60_000

/**
 * A DEX whose swaps fail, and say why, while the RPC is of another chain than the DEX: what is simulated there says nothing of a swap, and
 * what is looked up there is never found. The way of a swap is then down, and nothing that is played by swaps is entered.
 */
export function onCluster(dex: Dex, { rpcUrl, genesis, timeoutMs, clock, steady: given }: DexOptions): Dex {
  if (rpcUrl === undefined || genesis === undefined) return dex
  const steady = given ?? clock
  const rpc = new ChainRpc({ url: rpcUrl, timeoutMs, clock: steady, timer: given })
  let isRight = false
  let unsaidUntil = Number.NEGATIVE_INFINITY
  const trouble$: Observable<SwapTrouble | undefined> = defer(() => {
    if (isRight || steady.now() < unsaidUntil) return of(undefined)
    return from(clusterOf(rpc, genesis)).pipe(
      map((cluster): SwapTrouble | undefined => {
        isRight = cluster !== undefined && cluster.trouble === undefined
        if (cluster === undefined) unsaidUntil = steady.now() + UNSAID_MS
        return cluster?.trouble === undefined ? undefined : { ok: false, reason: cluster.trouble, retryable: false, part: 'rpc' }
      }),
    )
  })
  return {
    requestsPerSwap: dex.requestsPerSwap,
    swapperFor(fees) {
      const swapper = dex.swapperFor(fees)
      return {
        ...swapper,
        quote: (request): Observable<QuoteResult> =>
          trouble$.pipe(switchMap((trouble) => (trouble ? of(trouble) : swapper.quote(request)))),
        check: (path): Observable<PathCheck> =>
          trouble$.pipe(
            switchMap((trouble) => {
              if (trouble === undefined) return swapper.check(path)
              const { wallet, request } = path
              return of({ wallet, request, at: clock.now(), quoted: trouble, built: undefined })
            }),
          ),
      }
    },
    walletUsdc: async (wallet) => {
      await firstValueFrom(trouble$)
      return isRight ? dex.walletUsdc(wallet) : undefined
    },
    close: async () => {
      await Promise.all([dex.close(), rpc.close()])
    },
  }
}
