import { type Observable, Subject } from 'rxjs'
import type { Clock } from '../core/clock.ts'
import type { Usdc } from '../core/usdc.ts'
import { limitsOf, type RemoteService } from '../pipeline/index.ts'

/** The bankroll may be read many times a second; the chain is read no more often than this. */
const LEAST_MS = 10_000

interface BalancesOptions {
  /** USDC of a wallet on the chain, in micro-USDC; undefined where it cannot be read. */
  readonly usdcOf: (wallet: string) => Promise<Usdc | undefined>
  readonly clock: Pick<Clock, 'now'>
}

/** A service, and the wallet's USDC on the chain after its bankroll was read. */
export interface WatchedService {
  readonly service: RemoteService
  readonly chainUsdc$: Observable<Usdc>
}

/** Reads the wallet on the chain after the service has told its bankroll. Failed reads of the chain are dropped. */
export function withChainBalances(service: RemoteService, { usdcOf, clock }: BalancesOptions): WatchedService {
  const chainUsdc$ = new Subject<Usdc>()
  let nextAt = Number.NEGATIVE_INFINITY
  const readChain = async (wallet: string) => {
    nextAt = clock.now() + LEAST_MS
    const usdc = await usdcOf(wallet)
    if (usdc !== undefined) chainUsdc$.next(usdc)
  }
  const read: RemoteService['read'] = async (request) => {
    const result = await service.read(request)
    if (request.procedure === 'agent.bankroll' && result.ok && clock.now() >= nextAt) {
      const { walletAddress } = result.output as { readonly walletAddress?: string | undefined }
      // After the answer has reached the pipeline, which compares the two.
      if (walletAddress !== undefined) setImmediate(() => void readChain(walletAddress))
    }
    return result
  }
  return { service: { ...limitsOf(service), read, act: (request) => service.act(request) }, chainUsdc$ }
}
