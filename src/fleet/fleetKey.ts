import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CornermanError } from '../core/error.ts'

const BYTES = 32
/** The one that is, and the one before while it is changed. */
const MOST = 2
const CHECKED = 'the key of this fleet'

/** A new key, in hexadecimal: the same one belongs on every host of a fleet. */
export const newFleetKey = (): string => randomBytes(BYTES).toString('hex')

/**
 * Signs what a fleet is to run: whoever may write into its database, and has no key, cannot make a worker import anything. While a key is
 * changed there are two: the first signs, and what either has signed is accepted.
 */
export class FleetKey {
  /** 32 bytes each, the first for what is written. */
  readonly all: readonly Uint8Array[]

  /**
   * @param text one key, or the new one and the one before with a comma in between
   * @throws CornermanError `FLEET_KEY` for what is not 64 hexadecimal digits each; the message does not repeat it
   */
  constructor(text: string) {
    const keys = text.split(',').map((one) => one.trim())
    if (keys.length > MOST || !keys.every((one) => /^[0-9a-f]{64}$/i.test(one)))
      throw new CornermanError(
        'FLEET_KEY',
        `CORNERMAN_FLEET_KEY: ${text === '' ? 'it is not set' : 'it is no fleet key'}: make one with cornerman fleet key, and set the same on every host`,
      )
    this.all = keys.map((one) => Buffer.from(one, 'hex'))
  }

  /** Of the first; 32 of them. */
  get bytes(): Uint8Array {
    return this.all[0] ?? Buffer.alloc(0)
  }

  /** What a database keeps to tell whether a key is that of its fleet. */
  get check(): string {
    return this.sign(CHECKED, '')
  }

  /** Whether a check is of one of them. */
  fits(check: string): boolean {
    return this.hasSigned(CHECKED, '', check)
  }

  /** @param purpose keeps a signature of one thing from being taken for that of another */
  sign(purpose: string, text: string): string {
    return signed(this.bytes, purpose, text).toString('hex')
  }

  hasSigned(purpose: string, text: string, signature: string): boolean {
    const given = Buffer.from(signature, 'hex')
    return this.all.some((key) => {
      const own = signed(key, purpose, text)
      return own.length === given.length && timingSafeEqual(own, given)
    })
  }
}

const signed = (key: Uint8Array, purpose: string, text: string): Buffer =>
  createHmac('sha256', key).update(`cornerman ${purpose}\n${text}`).digest()
