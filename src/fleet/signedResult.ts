import type { FleetKey } from './fleetKey.ts'

const PURPOSE = 'result'

/** Result of one block of a search, as its worker wrote it. */
export interface StatedResult {
  readonly sweep: string
  readonly job: string
  readonly body: string
}

export const signatureOf = (key: FleetKey, result: StatedResult): string => key.sign(PURPOSE, textOf(result))

/** True if a worker with the fleet's key signed the result. Write access to the database is not enough. */
export const isSignedResult = (key: FleetKey, result: StatedResult, signature: string): boolean =>
  key.hasSigned(PURPOSE, textOf(result), signature)

const textOf = ({ sweep, job, body }: StatedResult): string => JSON.stringify([sweep, job, body])
