/**
 * A pure function of one text or number that keeps what it gave, so that it works it out once while the same is asked
 * for again and again. At `most` results all are forgotten.
 */
export function memoize<Key extends string | number, Value extends {}>(work: (key: Key) => Value, most: number): (key: Key) => Value {
  const kept = new Map<Key, Value>()
  let lastKey: Key | undefined
  let last: Value | undefined
  return (key) => {
    if (lastKey === key && last !== undefined) return last
    let value = kept.get(key)
    if (value === undefined) {
      value = work(key)
      if (kept.size >= most) kept.clear()
      kept.set(key, value)
    }
    lastKey = key
    last = value
    return value
  }
}
