import type uPlot from 'uplot'
import { colour, drawUpright } from '../../../charts/charts.js'
import type { ContestView, MoveRow } from '../../watch/views.ts'
import type { PriceLine } from './linesOf.ts'

const SIZE = 6

/** Start and end as upright lines, the bot's moves as marks on the line of their token, or at the foot where they have none. */
export function drawMarks(chart: uPlot, { row, moves }: ContestView, lines: readonly PriceLine[]): void {
  const { ctx, bbox } = chart
  const ratio = devicePixelRatio
  for (const at of [row.startsAt, row.endsAt]) if (at !== undefined) drawUpright(chart, at / 1000)
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.lineWidth = ratio
  for (const move of moves) {
    const x = chart.valToPos(move.at / 1000, 'x', true)
    const change = changeAt(move, lines)
    const y = change === undefined ? bbox.top + bbox.height - SIZE * ratio : chart.valToPos(change, 'y', true)
    drawMark(ctx, move.kind, { x, y, size: SIZE * ratio })
  }
  ctx.restore()
}

function changeAt({ at, mint }: MoveRow, lines: readonly PriceLine[]): number | undefined {
  const line = lines.find((one) => one.mint === mint)
  if (line === undefined) return undefined
  const index = line.at.findLastIndex((seconds) => seconds * 1000 <= at)
  return line.change[Math.max(0, index)]
}

function drawMark(ctx: CanvasRenderingContext2D, kind: MoveRow['kind'], { x, y, size }: { x: number; y: number; size: number }): void {
  const name = kind === 'buy' ? 'up' : kind === 'sell' ? 'down' : 'ink'
  ctx.fillStyle = colour(name)
  ctx.strokeStyle = colour('panel')
  ctx.beginPath()
  if (kind === 'buy' || kind === 'sell') {
    // The point shows where it was; bought points up from below, sold down from above.
    const away = kind === 'buy' ? size * 1.6 : -size * 1.6
    ctx.moveTo(x, y)
    ctx.lineTo(x - size, y + away)
    ctx.lineTo(x + size, y + away)
    ctx.closePath()
  } else ctx.arc(x, y, size * 0.7, 0, 2 * Math.PI)
  ctx.fill()
  ctx.stroke()
}
