/** How a value of Borsh is laid out, as far as its length goes: bytes, an option, a vector, or one after the other. */
export type Shape = number | { readonly option: Shape } | { readonly vector: Shape } | { readonly enum: Venues } | readonly Shape[]

/** The variants of an enumeration, and what follows the tag of those that carry anything. */
export interface Venues {
  readonly variants: number
  readonly payloads: ReadonlyMap<number, Shape>
}

const SLICES: Shape = { vector: 2 }

/** Venues that one step may choose from while it executes: Jupiter's `CandidateSwap`. */
const CANDIDATES: Venues = {
  variants: 19,
  payloads: new Map<number, Shape>([
    ...sized(1, [1, 5, 7, 8, 9, 12, 14]),
    ...sized(9, [0, 2]),
    [10, [1, { option: SLICES }]],
    [15, 57],
    [16, 65],
    [17, 81],
  ]),
}

/**
 * The venues a step of a route goes through, by tag: Jupiter's `Swap`. From the program's interface description of October
 * 2026 (see `layouts.ts`), which agrees with older copies in every variant they have. Jupiter adds venues every few weeks; a
 * step through a newer one cannot be measured.
 */
export const VENUES: Venues = {
  variants: 197,
  payloads: new Map<number, Shape>([
    ...sized(1, [8, 12, 15, 16, 17, 18, 21, 23, 24, 27, 28, 39, 58, 60, 61, 64, 85, 89, 94, 95, 104, 106, 107, 110, 116, 117, 119]),
    ...sized(1, [121, 125, 127, 129, 132, 136, 141, 145, 151, 152, 153, 160, 162, 164, 165, 166, 168, 170, 171, 172, 174, 177]),
    ...sized(1, [178, 181, 182, 184, 189, 192, 193, 194, 196]),
    ...sized(2, [71, 86, 155, 167, 187, 191]),
    ...sized(3, [42]),
    ...sized(4, [33, 41]),
    ...sized(5, [44, 45, 161]),
    ...sized(8, [81, 82, 159]),
    ...sized(9, [87, 118, 157]),
    ...sized(10, [43, 135]),
    ...sized(16, [29, 122]),
    ...sized(17, [126]),
    ...sized(48, [123]),
    ...sized(57, [185]),
    ...sized(65, [186]),
    ...sized(81, [190]),
    [47, [1, { option: SLICES }]],
    [75, SLICES],
    [103, [1, { option: SLICES }]],
    [111, [{ vector: { enum: CANDIDATES } }, { option: 1 }]],
    [120, [1, { vector: 1 }]],
    [146, [{ vector: [{ enum: CANDIDATES }, 4] }, 2]],
    [183, [1, { option: 1 }]],
  ]),
}

function sized(bytes: number, tags: readonly number[]): [number, Shape][] {
  return tags.map((tag) => [tag, bytes])
}
