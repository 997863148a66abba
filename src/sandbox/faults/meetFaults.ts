import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { refusalError } from '../server/appError.ts'
import type { CallFaults } from './faultPlan.ts'

const RETRY_AFTER_MS = 1000

/**
 * Lets a call meet the faults that come before it has any effect: it waits, and then may go no further.
 *
 * @throws TRPCError in place of the call
 */
export async function meetFaultsBefore({ latencyMs, instead }: CallFaults, request: IncomingMessage): Promise<void> {
  if (latencyMs > 0) await waitUnlessGone(latencyMs, request)
  switch (instead) {
    case undefined:
      return
    case 'dropBefore':
      return dropConnection(request)
    case 'error500':
      throw onRequest('a fault on request: the call had no effect')
    case 'rateLimited': {
      const message = `a fault on request: try again in ${RETRY_AFTER_MS} ms`
      throw refusalError({ code: 'RATE_LIMITED', message, details: { retryAfterMs: RETRY_AFTER_MS } })
    }
  }
}

/**
 * Cuts the connection: nothing more is heard of this call.
 *
 * @throws TRPCError always: what would be answered goes nowhere
 */
export function dropConnection(request: IncomingMessage): never {
  request.socket.destroy()
  throw onRequest('the connection is gone')
}

/** Not a fault of the sandbox, though it looks like one: nobody needs to hear of it. */
export const isOnRequest = (error: { readonly cause?: unknown }): boolean => onRequestErrors.has(error)

const onRequestErrors = new WeakSet<object>()

function onRequest(message: string): Error {
  const error = refusalError({ code: 'INTERNAL', message, details: {} })
  onRequestErrors.add(error)
  return error
}

async function waitUnlessGone(latencyMs: number, { socket }: IncomingMessage): Promise<void> {
  const gone = new AbortController()
  const abort = () => gone.abort()
  socket.once('close', abort)
  try {
    await sleep(latencyMs, undefined, { signal: gone.signal })
  } catch {
    // The caller hung up while it waited, so its call never came.
    throw onRequest('the caller hung up')
  } finally {
    socket.off('close', abort)
  }
}
