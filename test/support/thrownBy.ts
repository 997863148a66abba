/** What a piece of work throws; undefined where it throws nothing. */
export function thrownBy<T = unknown>(work: () => unknown): T | undefined {
  try {
    work()
    return undefined
  } catch (thrown) {
    return thrown as T
  }
}
