import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { ControlOrder } from '../../../live/fleet/index.ts'
import { writeWhole } from '../../control.ts'

const schema = z.strictObject({
  fleet: z.string(),
  n: z.number().int().min(0),
  control: z.string(),
  by: z.string(),
  said: z.number().int().nullable(),
})

/** The newest order to all hosts of a fleet that this host has accepted, on its own disk: a database that is set back takes it from no one. */
export class NewestOrder {
  readonly file: string
  readonly #fleet: string

  constructor(file: string, fleet: string) {
    this.file = file
    this.#fleet = fleet
  }

  /** Undefined where none of this fleet was accepted. @throws what the disk, JSON or the schema does */
  read(): ControlOrder | undefined {
    if (!existsSync(this.file)) return undefined
    const { fleet, ...order } = schema.parse(JSON.parse(readFileSync(this.file, 'utf8')))
    return fleet === this.#fleet ? { ...order, signature: null } : undefined
  }

  /** @throws what the disk does */
  keep({ n, control, by, said }: ControlOrder): void {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    writeWhole(this.file, JSON.stringify({ fleet: this.#fleet, n, control, by, said }), 0o600)
  }
}
