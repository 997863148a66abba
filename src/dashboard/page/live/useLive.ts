import { useEffect, useState } from 'preact/hooks'
import type { Place } from '../../stream/shown.ts'
import { hashOf } from '../route.ts'
import { Connection, type Live } from './connection.ts'

const NOTHING: Live = { state: 'opening', shown: undefined, aheadMs: 0 }

/** What is to be seen at a place, as it changes. On the way to another one, only the frame stays. */
export function useLive(place: Place): Live {
  const key = hashOf(place)
  const [{ live, of }, set] = useState({ live: NOTHING, of: key })
  // The key is the place.
  useEffect(() => {
    const connection = new Connection(place, frameOnly(live), (next) => set({ live: next, of: key }))
    return () => connection.close()
  }, [key])
  return of === key ? live : frameOnly(live)
}

function frameOnly({ state, shown, aheadMs }: Live): Live {
  return { state: state === 'open' ? 'opening' : state, shown: shown && { frame: shown.frame }, aheadMs }
}
