import { useLayoutEffect, useState } from 'preact/hooks'
import type { Place } from '../../stream/shown.ts'
import { placeOf } from '../route.ts'

/** The place that the address bar names. */
export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash)
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return placeOf(hash)
}
