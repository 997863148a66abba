import type { ComponentChildren } from 'preact'

export interface TileProps {
  readonly name: string
  readonly note?: ComponentChildren
  readonly children: ComponentChildren
}

export function Tile({ name, note, children }: TileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{children}</strong>
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  )
}
