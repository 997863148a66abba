import type { ServiceRefusal } from '../../contract/wire.ts'

/** What became of an action that was sent. Unknown is neither: it is looked up, never resent blindly. */
export type Outcome =
  | { readonly status: 'accepted'; readonly output: unknown }
  | { readonly status: 'rejected'; readonly refusal: ServiceRefusal }
  /** Nothing left this machine. */
  | { readonly status: 'notSent'; readonly reason: string }
  /** It may have taken effect: the answer was lost. */
  | {
      readonly status: 'unknown'
      readonly reason: string /** How long it may still arrive, where that is longer than the timeout says. */
      readonly mayArriveForMs?: number
    }
