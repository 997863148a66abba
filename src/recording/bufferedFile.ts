import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'

const BUFFERED_CHARACTERS = 256 * 1024

/** A file of text that is written as it comes, many lines at a time. Its methods throw the system's error where it cannot be. */
export interface BufferedFile {
  readonly path: string
  write(text: string): void
  close(): void
  /** Takes it away again. */
  discard(): void
}

/**
 * Not a stream: whoever writes without a pause would gather all of it in memory.
 *
 * @param flags `w` writes over what is there, `wx` does not
 * @throws the system's error where it cannot be opened
 */
export function bufferedFile(path: string, flags: 'w' | 'wx'): BufferedFile {
  const descriptor = openSync(path, flags)
  let buffered = ''
  const flush = () => {
    writeFileSync(descriptor, buffered)
    buffered = ''
  }
  return {
    path,
    write(text) {
      buffered += text
      if (buffered.length >= BUFFERED_CHARACTERS) flush()
    },
    close() {
      try {
        flush()
      } finally {
        closeSync(descriptor)
      }
    },
    discard() {
      closeSync(descriptor)
      rmSync(path)
    },
  }
}
