// A program that reads a command's document waits for it: where the command fails before it has one, one that says why is printed.

interface Failure {
  readonly code: string
  readonly message: string
}

let owed: ((failure: Failure) => unknown) | undefined

/** From here on, whatever ends the program, a document is printed. */
export function oweDocument(made: NonNullable<typeof owed>): void {
  owed = made
}

/**
 * Prints the document itself: nothing more is owed.
 *
 * @param onWritten called with the error where stdout cannot be written
 */
export function printDocument(document: unknown, onWritten?: (error?: Error | null) => void): void {
  owed = undefined
  process.stdout.write(`${JSON.stringify(document)}\n`, onWritten)
}

/** What is owed, of a command that failed; nothing where nothing is. */
export function printFailure(failure: Failure): void {
  if (owed !== undefined) printDocument(owed(failure))
}
