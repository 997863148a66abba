import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'

/** What the clock where the bots run is ahead of the browser's. */
export const AheadMs = createContext(0)

const listeners = new Set<() => void>()
let timer: number | undefined

/** One timer for all who count. */
function listen(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time where the bots run, every second. */
export function useNow(): number {
  const aheadMs = useContext(AheadMs)
  const [now, setNow] = useState(Date.now())
  useEffect(() => listen(() => setNow(Date.now())), [])
  return now + aheadMs
}
