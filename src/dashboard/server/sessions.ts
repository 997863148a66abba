import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { backoffMs } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'

const LASTS_MS = 30 * 86_400_000
/** Wrong tokens in a minute that are answered at once: whoever mistypes is not kept waiting. */
const MOST_FAILURES = 10
const FAILURES_WITHIN_MS = 60_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8000
/** Addresses whose wrong tokens are remembered; the one that has been silent the longest is forgotten first. */
const MOST_ADDRESSES = 1000

/**
 * Who may look and speak: whoever has shown the token once. A session is the time it ends, signed with the token: it
 * is not the token, the server keeps nothing of it, and it holds over a restart with the same token.
 */
export class Sessions {
  readonly #token: string
  readonly #clock: Pick<Clock, 'now'>
  readonly #cookie: string
  /** When wrong tokens came, the newest last, by the address they came from. */
  readonly #failures = new Map<string, readonly number[]>()

  constructor(token: string, clock: Pick<Clock, 'now'>) {
    this.#token = token
    this.#clock = clock
    // Cookies know no ports: two dashboards of one machine need two names.
    this.#cookie = `cornerman-${hash('sha256', `name of ${token}`).slice(0, 8)}`
  }

  /** @returns the cookie's text for `set-cookie`; undefined for a wrong token */
  open(token: string): string | undefined {
    if (!isSame(token, this.#token)) return undefined
    const endsAt = String(this.#clock.now() + LASTS_MS)
    return `${this.#cookie}=${endsAt}.${this.#sign(endsAt)}; Path=/; Max-Age=${LASTS_MS / 1000}; HttpOnly; SameSite=Strict`
  }

  /**
   * A wrong token came from an address. The right one is let in whatever came before it: others share the owner's address, behind a proxy or on the same machine.
   *
   * @returns how many came from there of late, and how long its answer is to wait
   */
  failed(address: string): { readonly count: number; readonly waitMs: number } {
    const now = this.#clock.now()
    const recent = [...(this.#failures.get(address) ?? []), now].filter((at) => at > now - FAILURES_WITHIN_MS)
    this.#failures.delete(address)
    this.#failures.set(address, recent)
    for (const [oldest] of this.#failures) {
      if (this.#failures.size <= MOST_ADDRESSES) break
      this.#failures.delete(oldest)
    }
    const over = recent.length - MOST_FAILURES
    return { count: recent.length, waitMs: over <= 0 ? 0 : backoffMs(over - 1, FIRST_WAIT_MS, LONGEST_WAIT_MS) }
  }

  /** @param cookies the header of the request */
  has(cookies: string | undefined): boolean {
    const values = (cookies ?? '').split(/; */).flatMap((pair) => (pair.startsWith(`${this.#cookie}=`) ? [pair.split('=')[1]] : []))
    return values.some((value) => {
      const [endsAt = '', signature = ''] = value?.split('.') ?? []
      return isSame(signature, this.#sign(endsAt)) && Number(endsAt) > this.#clock.now()
    })
  }

  /** Programs that know no cookies show the token itself. @returns undefined where none is shown. @param authorization the header of the request */
  isBearer(authorization: string | undefined): boolean | undefined {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
    return token === undefined ? undefined : isSame(token, this.#token)
  }

  #sign(endsAt: string): string {
    return createHmac('sha256', this.#token).update(`session until ${endsAt}`).digest('base64url')
  }
}

/** In a time that says nothing of where they differ, nor of how long they are. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}
