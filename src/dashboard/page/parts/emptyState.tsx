import type { ComponentChildren } from 'preact'

/** In place of what is not there: why, and what to do. */
export function EmptyState({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h1>{title}</h1>
      <p>{children}</p>
    </div>
  )
}
