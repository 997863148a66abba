import { type Shape, VENUES } from './venues.ts'

/** A step of version 1: the venue, a percentage, and the numbers of the tokens it goes between. */
const STEP: Shape = [{ enum: VENUES }, 3]
const LENGTH_BYTES = 4

/** Where the route plan that begins at `start` ends; undefined when it cannot be measured. */
export function endOfRoutePlan(data: Uint8Array, start: number): number | undefined {
  return endOf({ vector: STEP }, data, start)
}

function endOf(shape: Shape, data: Uint8Array, start: number): number | undefined {
  if (typeof shape === 'number') return within(data, start + shape)
  if ('enum' in shape) return endOfVenue(shape.enum, data, start)
  if ('vector' in shape) return endOfVector(shape.vector, data, start)
  if (!('option' in shape)) return shape.reduce<number | undefined>((at, part) => (at === undefined ? at : endOf(part, data, at)), start)
  if (data[start] === 0) return start + 1
  return data[start] === 1 ? endOf(shape.option, data, start + 1) : undefined
}

function endOfVenue({ variants, payloads }: { variants: number; payloads: ReadonlyMap<number, Shape> }, data: Uint8Array, start: number) {
  const tag = data[start]
  return tag === undefined || tag >= variants ? undefined : endOf(payloads.get(tag) ?? 0, data, start + 1)
}

function endOfVector(element: Shape, data: Uint8Array, start: number): number | undefined {
  if (within(data, start + LENGTH_BYTES) === undefined) return undefined
  // Every element has at least a byte, so a length past the end is found out after as many steps as there are bytes.
  const length = new DataView(data.buffer, data.byteOffset).getUint32(start, true)
  let at: number | undefined = start + LENGTH_BYTES
  for (let n = 0; n < length && at !== undefined; n += 1) at = endOf(element, data, at)
  return at
}

function within(data: Uint8Array, end: number): number | undefined {
  return end <= data.length ? end : undefined
}
