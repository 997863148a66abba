import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Frame } from '../../stream/shown.ts'
import type { ConnectionState } from '../live/connection.ts'
import { announcementsOf } from './announcementsOf.ts'

interface AnnouncerProps {
  readonly frame: Frame | undefined
  readonly state: ConnectionState
}

/** Tells a screen reader what the eye is drawn to. */
export function Announcer({ frame, state }: AnnouncerProps) {
  const before = useRef<AnnouncerProps>({ frame, state })
  const [text, setText] = useState('')
  useLayoutEffect(() => {
    const news = announcementsOf(before.current, { frame, state })
    before.current = { frame: frame ?? before.current.frame, state: state === 'opening' ? before.current.state : state }
    if (news.length > 0) setText(news.join(' '))
  }, [frame, state])
  return (
    <div class="unseen" role="status">
      {text}
    </div>
  )
}
