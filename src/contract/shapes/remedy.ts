// What a person can do about a service whose answers are not known, or not in full.

/** The fields of the config in which pieces are written, by the names of the pieces. */
export const fieldsOf = (pieces: readonly string[]): string =>
  pieces.map((piece) => `service.shapes.${piece.split(' or ').map(fieldOf).join(' or ')}`).join(', ')

function fieldOf(piece: string): string {
  if (piece.startsWith('lists.') || piece.startsWith('words.')) return piece
  const [name, meaning] = piece.split('.')
  return meaning === undefined ? `pieces.${name}` : `pieces.${name} (${meaning})`
}

/** Of a service of which nothing is known. */
export const PROBE_FIRST = "run `cornerman probe`, or write `contestService({ url, probe: { most: usdc('2') } })`"

/** Of a mode that lacks something. */
export const probeOf = (mode: string): string => `run \`cornerman probe --play --most 2.00 --modes ${mode}\``
