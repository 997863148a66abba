import type { EventRow } from '../../watch/views.ts'
import { Instant } from '../parts/instant.tsx'

/** As they came from the service. */
export function EventList({ events }: { readonly events: readonly EventRow[] }) {
  if (events.length === 0) return <p class="soft">None came yet.</p>
  return (
    <ol class="events">
      {events.map(({ at, type, raw }, index) => (
        <li key={`${at} ${index}`}>
          <details>
            <summary>
              <Instant at={at} isOfToday={true} /> {type}
            </summary>
            <pre>{JSON.stringify(raw, undefined, 2)}</pre>
          </details>
        </li>
      ))}
    </ol>
  )
}
