// What turns one JSON value into the next. The server says it, the page does it: a view is sent whole once, and afterwards only what
// is new in it. Lists say which runs of the old list they keep, so that one that grows at its end, or whose oldest entry goes, costs
// no more than what came.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

export type Patch =
  /** Another value. */
  | { readonly set: Json }
  /** An object of which some fields changed or came, and some are gone. */
  | { readonly fields: Readonly<Record<string, Patch>>; readonly gone?: readonly string[] }
  /** A list, from its first entry to its last. */
  | { readonly list: readonly Piece[] }

type Piece =
  /** So many entries of the old list, from this one on. */
  | readonly [from: number, count: number]
  /** New entries. */
  | { readonly add: readonly Json[] }
  /** The entry that stood here before, changed. */
  | { readonly at: number; readonly patch: Patch }
