/** Ends a strategy's observable that is not to blame for it: no fault. It is begun anew where one that failed would be. */
export class Interruption extends Error {
  override readonly name = 'Interruption'
}

/** A recording keeps an error's name, not its class. */
export const isInterruption = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'Interruption'
