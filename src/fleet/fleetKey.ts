import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CornermanError } from '../core/error.ts'

const BYTES = 32

/** A new key, in hexadecimal: the same one belongs on every host of a fleet. */
export const newFleetKey = (): string => randomBytes(BYTES).toString('hex')

/** Signs what a fleet is to run: whoever may write into its database, and has no key, cannot make a worker import anything. */
export class FleetKey {
  readonly #bytes: Buffer

  /** @throws CornermanError `FLEET_KEY` for what is not 64 hexadecimal digits; the message does not repeat it */
  constructor(text: string) {
    if (!/^[0-9a-f]{64}$/i.test(text))
      throw new CornermanError(
        'FLEET_KEY',
        `CORNERMAN_FLEET_KEY: ${text === '' ? 'it is not set' : 'it is no fleet key'}: make one with cornerman fleet key, and set the same on every host`,
      )
    this.#bytes = Buffer.from(text, 'hex')
  }

  /** 32 of them. */
  get bytes(): Uint8Array {
    return this.#bytes
  }

  /** @param purpose keeps a signature of one thing from being taken for that of another */
  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.#bytes).update(`cornerman ${purpose}\n${text}`).digest('hex')
  }

  hasSigned(purpose: string, text: string, signature: string): boolean {
    const [own, given] = [Buffer.from(this.sign(purpose, text), 'hex'), Buffer.from(signature, 'hex')]
    return own.length === given.length && timingSafeEqual(own, given)
  }
}
