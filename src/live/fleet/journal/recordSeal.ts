import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { CornermanError } from '../../../core/error.ts'
import { decodeExact, encodeExact } from '../../../core/exactJson.ts'
import type { JournalRecord } from '../../../pipeline/index.ts'
import type { ReadLease } from '../../readBudget.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What one row of a bot's journal holds. */
export type FleetRecord =
  | { readonly type: 'record'; readonly record: JournalRecord }
  | { readonly type: 'lease'; readonly lease: ReadLease; readonly sinceMs: number }
  | ({ readonly type: 'owner' } & JournalOwner)
  /** That the bot was still played there. */
  | { readonly type: 'mark' }

/** Whose journal it is: it is made that of an agent once. */
export interface JournalOwner {
  readonly agentId: string
  /** When it was made, in Unix milliseconds of the bots' time. */
  readonly madeAt: number
  /** As `JournalContents` has it. */
  readonly newsAfter?: string | null | undefined
}

export interface SealOptions {
  /** 32 bytes each; with the first is sealed, and all of them open. */
  readonly keys: readonly Uint8Array[]
  /** The id of the fleet. */
  readonly fleet: string
  readonly bot: string
}

/**
 * Seals what one bot's journal holds, so that the database's operator, its backups and its replicas see neither salts nor stakes: key id,
 * nonce, AES-256-GCM and its tag. What is sealed for one place of one bot opens at no other.
 */
export class RecordSeal {
  /** By their ids in hexadecimal, the first for sealing. */
  readonly #keys: ReadonlyMap<string, Buffer>
  readonly #fleet: string
  readonly #bot: string

  constructor({ keys, fleet, bot }: SealOptions) {
    this.#fleet = fleet
    this.#bot = bot
    this.#keys = new Map(
      keys.map((key) => [derived(key, 'cornerman key id', ID_BYTES).toString('hex'), derived(key, this.#at(), KEY_BYTES)]),
    )
  }

  /** @param seq its place in the bot's journal, from 1 */
  seal(seq: number, record: FleetRecord): Buffer {
    return this.#sealed(Buffer.from(encodeExact(record)), String(seq))
  }

  /** @throws CornermanError `FLEET_KEY` where no key that is given has sealed it, `FLEET_RECORD_ALTERED` where it is not what was sealed for this place */
  open(seq: number, body: Uint8Array): FleetRecord {
    return decodeExact(this.#opened(body, String(seq)).toString()) as FleetRecord
  }

  /** A secret on its own, as text, for a copy on a disk. @param name what it is of */
  sealText(name: string, text: string): string {
    return this.#sealed(Buffer.from(text), `text|${name}`).toString('base64')
  }

  /** @throws as `open` */
  openText(name: string, sealed: string): string {
    return this.#opened(Buffer.from(sealed, 'base64'), `text|${name}`).toString()
  }

  /** A piece of a copy of the journal. @param place where it belongs: it opens nowhere else */
  sealPart(place: string, bytes: Uint8Array): Buffer {
    return this.#sealed(Buffer.from(bytes), `part|${place}`)
  }

  /** @throws as `open` */
  openPart(place: string, sealed: Uint8Array): Buffer {
    return this.#opened(sealed, `part|${place}`)
  }

  /** While a key is changed. */
  get hasSeveralKeys(): boolean {
    return this.#keys.size > 1
  }

  /** Whether it is of the key that seals now. @param sealed its first bytes are enough */
  isOfFirstKey(sealed: Uint8Array): boolean {
    const [id] = this.#keys.keys()
    return Buffer.from(sealed).toString('hex', 0, ID_BYTES) === id
  }

  #sealed(plain: Buffer, place: string): Buffer {
    const [[id, key] = ['', Buffer.alloc(0)]] = this.#keys
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(this.#at(place)))
    return Buffer.concat([Buffer.from(id, 'hex'), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  #opened(body: Uint8Array, place: string): Buffer {
    const bytes = Buffer.from(body)
    if (bytes.length < ID_BYTES + NONCE_BYTES + TAG_BYTES) throw this.#altered(place)
    const key = this.#keys.get(bytes.toString('hex', 0, ID_BYTES))
    if (key === undefined)
      throw new CornermanError(
        'FLEET_KEY',
        `CORNERMAN_FLEET_KEY: ${this.#bot}, ${place}, was sealed with another key: set the one that the other hosts have`,
      )
    const nonce = bytes.subarray(ID_BYTES, ID_BYTES + NONCE_BYTES)
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(this.#at(place)))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(ID_BYTES + NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    } catch (cause) {
      throw this.#altered(place, cause)
    }
  }

  /** Names have no bound of their own: as JSON no two of them read alike. */
  #at(...place: readonly string[]): string {
    return JSON.stringify([this.#fleet, this.#bot, ...place])
  }

  #altered(place: string, cause?: unknown): CornermanError {
    return new CornermanError(
      'FLEET_RECORD_ALTERED',
      `the journal of ${this.#bot}, ${place}, is not what was written there: somebody has changed the database; stop this bot and look who did`,
      { details: { bot: this.#bot, place }, ...(cause === undefined ? {} : { cause }) },
    )
  }
}

const derived = (key: Uint8Array, purpose: string, bytes: number): Buffer => Buffer.from(hkdfSync('sha256', key, '', purpose, bytes))

/** The chain of a journal that nothing was written to. */
export const FIRST_CHAIN: Buffer = Buffer.alloc(0)

/** Equal chains at one place mean equal pasts. */
export const chainAfter = (before: Uint8Array, body: Uint8Array): Buffer => createHash('sha256').update(before).update(body).digest()
