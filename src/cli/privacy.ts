// Journals hold salts, sandboxes hold keys, recordings hold how somebody plays: all of it is for its owner alone.

const OWNER_ONLY = 0o077

/** From now on this process makes folders and files for its user alone, SQLite's logs among them, whatever its umask was. */
export function keepPrivate(): void {
  process.umask(OWNER_ONLY)
}
