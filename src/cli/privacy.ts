// Journals hold salts, sandboxes hold keys, recordings hold how somebody plays: all of it is for its owner alone.

const OWNER_ONLY = 0o077
let usual: number | undefined

/** From now on this process makes folders and files for its user alone, SQLite's logs among them, whatever its umask was. */
export function keepPrivate(): void {
  usual ??= process.umask(OWNER_ONLY)
}

/** Makes what is no data of the bots, such as sources and tables for others, as the user's umask has it. */
export function asUsual<T>(work: () => T): T {
  if (usual === undefined) return work()
  process.umask(usual)
  try {
    return work()
  } finally {
    process.umask(OWNER_ONLY)
  }
}
