/** How far a journal is written. */
export interface JournalPlace {
  /** The number of its newest record; 0: none. */
  readonly seq: number
  /** Of all records up to that one. */
  readonly chain: Uint8Array
}
