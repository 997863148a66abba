import { createLogUpdate } from 'log-update'
import type { Desk } from '../../../../dashboard/index.ts'
import type { LogSink } from '../../../log.ts'
import { type Look, lookOf } from './look.ts'
import { statusText } from './statusText.ts'

/** The times that count down are in seconds: twice as often looks steady. */
const REDRAW_MS = 500
/** As many as a high window has room for. */
const LAST_MESSAGES = 100

/** Shown where the window does not say how large it is. */
const [COLUMNS, ROWS] = [100, 40]

/**
 * The live status on a terminal, redrawn in place. The newest messages stand under it; a warning or an error scrolls up above it
 * and stays to be read.
 */
export class Screen implements LogSink {
  readonly #look: Look = lookOf(process.stderr)
  readonly #update = createLogUpdate(process.stderr)
  readonly #messages: string[] = []
  #desk: Pick<Desk, 'fleet'> | undefined
  #address: string | undefined
  #startedAt = 0
  #timer: NodeJS.Timeout | undefined

  write(text: string, level: string): void {
    if (this.#desk === undefined || level === 'warn' || level === 'error' || level === 'fatal') {
      this.#update.clear()
      process.stderr.write(text)
    } else {
      this.#messages.push(text.trimEnd())
      if (this.#messages.length > LAST_MESSAGES) this.#messages.shift()
    }
    this.#draw()
  }

  /** @param address of the page, where there is one */
  show(desk: Pick<Desk, 'fleet'>, address?: string): void {
    this.#desk = desk
    this.#address = address
    this.#startedAt = desk.fleet().at
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS)
    this.#draw()
  }

  /** Leaves the last status standing. */
  close(): void {
    clearInterval(this.#timer)
    this.#messages.length = 0
    this.#draw()
    this.#update.done()
    this.#desk = undefined
  }

  #draw(): void {
    if (this.#desk === undefined) return
    const { columns = COLUMNS, rows = ROWS } = process.stderr
    const view = this.#desk.fleet()
    const shown = { view, address: this.#address, runsForMs: view.at - this.#startedAt, messages: this.#messages, columns, rows }
    this.#update(statusText(shown, this.#look))
  }
}
