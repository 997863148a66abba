import { z } from 'zod'
import type { Mint } from '../../core/tokens.ts'
import type { HouseSeat } from './houseMode.ts'

const paramsSchema = z.object({ token: z.string() })

/** The token a contest is about, in the modes that name one. */
export const theToken = ({ contest }: HouseSeat): readonly Mint[] => [paramsSchema.parse(contest.params).token]
