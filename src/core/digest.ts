import { hash } from 'node:crypto'

/** The SHA-256 of a text. Asked for as one character a byte and read back: asked for as bytes, Node takes twice as long over it. */
export function digestOf(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'binary'), 'binary')
}
