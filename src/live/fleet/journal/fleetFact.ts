/** What happens between a host and the database, for whoever counts it. */
export type FleetFact = { readonly bot: string } & (
  | { readonly type: 'kept'; readonly ms: number }
  /** Something that was to be sent waited for its commit in vain. */
  | { readonly type: 'late' }
  /** Entries are refused until a commit is kept again. */
  | { readonly type: 'waits'; readonly waits: boolean }
  /** A commit was not taken, since another host has the bot. */
  | { readonly type: 'fenced' }
  /** It was claimed from a host that was taken for dead. */
  | { readonly type: 'takenOver'; readonly from: string }
)
