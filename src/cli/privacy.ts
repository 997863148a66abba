import type { Command } from 'commander'

// Journals hold salts, sandboxes hold keys, recordings hold how somebody plays: what a command writes is its owner's alone, unless it says otherwise.

const OWNER_ONLY = 0o077
const forOthers = new WeakSet<Command>()

/** Declares that what a command writes may be read by others: a report, code, prices. */
export function writesForOthers(command: Command): Command {
  forOthers.add(command)
  return command
}

/** From now on this process makes folders and files for its user alone, SQLite's logs among them, whatever its umask was. */
export function keepPrivate(command: Command): void {
  if (!forOthers.has(command)) process.umask(OWNER_ONLY)
}
