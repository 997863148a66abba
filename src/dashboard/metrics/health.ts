import type { FleetView, TroubleKind } from '../watch/index.ts'

/** Whether someone should be woken, and by what. */
export interface Health {
  readonly status: 'ok' | 'failing'
  readonly bots: number
  readonly problems: readonly { readonly bot: string; readonly kind: TroubleKind; readonly message: string }[]
}

/**
 * Fails on what is an alarm: a stream that has not been read for two minutes, a bot that stopped (a journal that cannot be written stops
 * it), a reveal that is due and does not work, a suspended strategy, the kill switch. What is only worth a look does not wake anyone.
 */
export function healthOf({ bots }: FleetView): Health {
  const problems = bots.flatMap(({ name, troubles }) =>
    troubles.filter(({ severity }) => severity === 'alarm').map(({ kind, message }) => ({ bot: name, kind, message })),
  )
  return { status: problems.length === 0 ? 'ok' : 'failing', bots: bots.length, problems }
}
