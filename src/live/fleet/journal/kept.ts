/** What is sent has been committed for so long at most, in milliseconds, by the monotonic and by the wall clock. */
export const SEND_WITHIN = 1500

/** Where what must not be sent before it is durable waits. */
export interface Kept {
  /**
   * Of all that was committed before the call. `fenced`: another host has the bot, and nothing is sent from here any more; `late`: it is not known
   * within `SEND_WITHIN`.
   */
  kept(): Promise<'kept' | 'fenced' | 'late'>
  /** Whether something may leave now: the bot was this host's when the newest commit that was kept began, and that is not longer ago than `SEND_WITHIN`. */
  maySend(): boolean
  /** Whether entries are to wait for better times: commits were late three times in a row, and none was kept since. */
  readonly refusesEntries: boolean
  /** True if the newest commit is as durable as the config asks: on a second server too, unless `durability` is `asGiven`. */
  readonly isDurable: boolean
}
