import type { InspectionRefusal } from '../codes.ts'
import type { Effect } from '../effect.ts'
import type { Message } from '../message.ts'
import type { InspectionPolicy, SwapTerms } from '../terms.ts'

/** An instruction's effect, and the program it is of. */
export type Act = Effect & { readonly program: string }

/** What the checks look at. */
export interface Subject {
  readonly message: Message
  /** One for each instruction, in order. */
  readonly acts: readonly Act[]
  readonly terms: SwapTerms
  readonly policy: InspectionPolicy
}

/** One thing the inspection looks for: why it refuses, or undefined to pass on to the next. */
export type Check = (subject: Subject) => InspectionRefusal | undefined

/** The acts of one kind. */
export function actsOf<K extends Effect['kind']>({ acts }: Subject, kind: K): readonly Extract<Act, { readonly kind: K }>[] {
  return acts.filter((act): act is Extract<Act, { readonly kind: K }> => act.kind === kind)
}

/** The first refusal among those of several things. */
export function firstRefusal<T>(things: readonly T[], check: (thing: T) => InspectionRefusal | undefined): InspectionRefusal | undefined {
  for (const thing of things) {
    const refused = check(thing)
    if (refused !== undefined) return refused
  }
  return undefined
}
