import { plainJson } from '../../../core/plainJson.ts'
import { type ActionRequest, limitsOf, type Outcome, type RemoteService } from '../../../pipeline/index.ts'

/** A request that a dry run kept back, and how often it came up. */
export interface KeptBack {
  readonly procedure: string
  /** As it would stand on the wire: amounts as digit strings. */
  readonly input: unknown
  readonly times: number
}

/** More kinds of requests than this are not listed. */
const MOST_LISTED = 1000

/**
 * Everything of a service but its POSTs: they are kept back and noted. The bot is told that nothing left, which
 * is true, so that it asks again as it would after a failure.
 */
export function withoutPosts(service: RemoteService): { readonly service: RemoteService; keptBack(): readonly KeptBack[] } {
  const kept = new Map<string, KeptBack>()
  const note = ({ procedure, input }: ActionRequest): void => {
    const plain = plainJson(input)
    const key = `${procedure} ${JSON.stringify(plain)}`
    const before = kept.get(key)
    if (before === undefined && kept.size >= MOST_LISTED) return
    kept.set(key, { procedure, input: plain, times: (before?.times ?? 0) + 1 })
  }
  return {
    service: {
      ...limitsOf(service),
      read: (request) => service.read(request),
      act: (request): Promise<Outcome> => {
        note(request)
        return Promise.resolve({ status: 'notSent', reason: 'dry run' })
      },
    },
    keptBack: () => [...kept.values()],
  }
}
