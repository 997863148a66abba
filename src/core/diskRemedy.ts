// SQLite's result codes (https://www.sqlite.org/rescode.html): the low byte is the kind of failure.
const SQLITE_FULL = 13
const SQLITE_IO_ERROR = 10

const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'make room on its disk',
  EDQUOT: "make room: this user's share of the disk is used up",
  EMFILE: 'let the process open more files (ulimit -n), or run fewer bots in it',
  ENFILE: 'let the system open more files, or end what holds them open',
  EROFS: 'its file system is read-only: name another place',
  EACCES: 'see that this user may read and write there',
  EPERM: 'see that this user may read and write there',
  EIO: 'look at the disk and its file system',
  EISDIR: 'it is a folder: name a file',
}

/** What to do about a file that could not be read or written, by what Node or SQLite failed with: the rest of a sentence. */
export function diskRemedy(thrown: unknown): string {
  const { code, errcode } = (thrown ?? {}) as { readonly code?: unknown; readonly errcode?: unknown }
  const kind = typeof errcode === 'number' ? errcode & 0xff : undefined
  if (kind === SQLITE_FULL) return REMEDIES.ENOSPC ?? ''
  if (kind === SQLITE_IO_ERROR) return REMEDIES.EIO ?? ''
  const known = typeof code === 'string' ? REMEDIES[code] : undefined
  return known ?? 'check the file, its folder and their permissions, and how many files the process may open'
}
