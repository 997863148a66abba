import type { Json } from '../../stream/patch.ts'
import { patched } from '../../stream/patched.ts'
import { BEAT_MS, type Place, type Shown, type StreamEvents } from '../../stream/shown.ts'
import { streamOf } from '../route.ts'
import { hasSession } from './session.ts'

/** Two signs of life are missing, and some time on the way. */
const SILENT_MS = 2.5 * BEAT_MS
const AGAIN_MS = 2000

/** The page that this one is. */
let loadedBuild: string | undefined

/** `lost`: what is shown is what was last known. */
export type ConnectionState = 'opening' | 'open' | 'lost' | 'noSession'

export interface Live {
  readonly state: ConnectionState
  /** Undefined before anything came. */
  readonly shown: Shown | undefined
  /** What the clock where the bots run is ahead of this one. */
  readonly aheadMs: number
}

/**
 * Follows the view of a place, for as long as it takes: after a break, a sleep or a restart of the server the view comes whole
 * again, with all that was missed in it. A connection that is silent is taken for broken, since after a sleep no browser says so.
 */
export class Connection {
  readonly #path: string
  readonly #onChange: (live: Live) => void
  #source: EventSource | undefined
  #timer: number | undefined
  #live: Live

  constructor(place: Place, before: Live, onChange: (live: Live) => void) {
    this.#path = streamOf(place)
    this.#onChange = onChange
    this.#live = before
    this.#open()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = undefined
  }

  #open(): void {
    this.close()
    const source = new EventSource(this.#path)
    this.#source = source
    const on = <Name extends keyof StreamEvents>(name: Name, take: (data: StreamEvents[Name]) => Shown | undefined) =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const read = JSON.parse(data) as StreamEvents[Name]
        this.#expectMore()
        this.#change({ state: 'open', shown: take(read), aheadMs: read.at - Date.now() })
      })
    on('whole', ({ build, shown }) => {
      loadedBuild ??= build
      // The server came back as another version, whose views this page does not know.
      if (build !== loadedBuild) location.reload()
      return shown
    })
    on('patch', ({ patch }) => patched(this.#live.shown as unknown as Json, patch) as unknown as Shown)
    on('beat', () => this.#live.shown)
    source.addEventListener('error', () => void this.#lost(source))
    this.#expectMore()
  }

  #expectMore(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#change({ ...this.#live, state: 'lost' })
      this.#open()
    }, SILENT_MS)
  }

  /** The browser tries again by itself where the line broke, and leaves it at that where the server refused. */
  async #lost(source: EventSource): Promise<void> {
    if (this.#live.state !== 'noSession') this.#change({ ...this.#live, state: 'lost' })
    if (source.readyState !== EventSource.CLOSED) return
    clearTimeout(this.#timer)
    const knows = await hasSession()
    if (this.#source !== source) return
    if (knows === false) this.#change({ ...this.#live, state: 'noSession' })
    this.#timer = setTimeout(() => this.#open(), AGAIN_MS)
  }

  #change(live: Live): void {
    this.#live = live
    this.#onChange(live)
  }
}
