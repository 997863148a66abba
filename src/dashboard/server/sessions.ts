import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'

const LASTS_MS = 30 * 86_400_000
const MOST_FAILURES = 10
const FAILURES_WITHIN_MS = 60_000

/**
 * Who may look and speak: whoever has shown the token once. A session is the time it ends, signed with the token: it
 * is not the token, the server keeps nothing of it, and it holds over a restart with the same token.
 */
export class Sessions {
  readonly #token: string
  readonly #clock: Pick<Clock, 'now'>
  readonly #cookie: string
  /** When wrong tokens came, the newest last. */
  #failures: readonly number[] = []

  constructor(token: string, clock: Pick<Clock, 'now'>) {
    this.#token = token
    this.#clock = clock
    // Cookies know no ports: two dashboards of one machine need two names.
    this.#cookie = `cornerman-${hash('sha256', `name of ${token}`).slice(0, 8)}`
  }

  /** Too many wrong tokens came: none is looked at for a while, not even the right one. */
  get isClosed(): boolean {
    const since = this.#clock.now() - FAILURES_WITHIN_MS
    this.#failures = this.#failures.filter((at) => at > since)
    return this.#failures.length >= MOST_FAILURES
  }

  /** @returns the cookie's text for `set-cookie`; undefined for a wrong token */
  open(token: string): string | undefined {
    if (!isSame(token, this.#token)) {
      this.#failures = [...this.#failures, this.#clock.now()]
      return undefined
    }
    const endsAt = String(this.#clock.now() + LASTS_MS)
    return `${this.#cookie}=${endsAt}.${this.#sign(endsAt)}; Path=/; Max-Age=${LASTS_MS / 1000}; HttpOnly; SameSite=Strict`
  }

  /** @param cookies the header of the request */
  has(cookies: string | undefined): boolean {
    const values = (cookies ?? '').split(/; */).flatMap((pair) => (pair.startsWith(`${this.#cookie}=`) ? [pair.split('=')[1]] : []))
    return values.some((value) => {
      const [endsAt = '', signature = ''] = value?.split('.') ?? []
      return isSame(signature, this.#sign(endsAt)) && Number(endsAt) > this.#clock.now()
    })
  }

  /** Programs that know no cookies show the token itself. @param authorization the header of the request */
  isBearer(authorization: string | undefined): boolean {
    const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
    if (token === undefined || this.isClosed) return false
    const isRight = isSame(token, this.#token)
    if (!isRight) this.#failures = [...this.#failures, this.#clock.now()]
    return isRight
  }

  #sign(endsAt: string): string {
    return createHmac('sha256', this.#token).update(`session until ${endsAt}`).digest('base64url')
  }
}

/** In a time that says nothing of where they differ, nor of how long they are. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}
