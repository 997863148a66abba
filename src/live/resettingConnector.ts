import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { buildConnector, errors } from 'undici'
import { addressTimeoutMs } from '../core/addressTimeout.ts'

export interface ResettingOptions {
  readonly timeoutMs: number
  readonly tls?: Pick<ConnectionOptions, 'ca'>
  /** Asked as a POST is about to leave, in the last turn before the system has it: where it says no, none of its bytes does. */
  readonly maySend?: (() => boolean) | undefined
}

/** The code of an error with which a POST was kept back: nothing of it left. */
export const KEPT_BACK = 'KEPT_BACK'

/**
 * Connections that are reset when a request on them is given up. A socket that is only closed leaves its bytes to the kernel, which goes on
 * delivering them: over a link that was cut they arrive once it is back, long after the request was given up. A reset throws them away.
 * No HTTP/2: many requests share a connection there, and none can be taken back alone.
 */
export function resettingConnector({ timeoutMs, tls = {}, maySend }: ResettingOptions): buildConnector.connector {
  const open = buildConnector({ ...tls, timeout: timeoutMs, autoSelectFamilyAttemptTimeout: addressTimeoutMs(timeoutMs), allowH2: false })
  const ready = (socket: Socket, tcp: Socket): Socket => {
    resetWhenGivenUp(socket, tcp)
    return maySend === undefined ? socket : keepingBack(socket, maySend)
  }
  return (options, callback) => {
    if (options.protocol !== 'https:') {
      open(options, (...[error, socket]) =>
        error === null ? callback(null, ready(socket, socket)) : callback(withLimit(error, options, timeoutMs), null),
      )
      return
    }
    // Only a socket of TCP can be reset: it is opened first, and TLS spoken on it.
    open({ ...options, protocol: 'http:', port: options.port || '443' }, (...[error, tcp]) => {
      if (error !== null) {
        callback(withLimit(error, options, timeoutMs), null)
        return
      }
      open({ ...options, httpSocket: tcp }, (...[failure, secured]) => {
        if (failure === null) callback(null, ready(secured, tcp))
        else callback(withLimit(failure, options, timeoutMs), null)
      })
    })
  }
}

/** undici names the timeout of the whole connection, also where each address was given up earlier. */
function withLimit(error: Error, { hostname, port }: Pick<buildConnector.Options, 'hostname' | 'port'>, timeoutMs: number): Error {
  if (!(error instanceof errors.ConnectTimeoutError)) return error
  const place = `${hostname}${port === '' ? '' : `:${port}`}`
  error.message =
    error.cause instanceof AggregateError
      ? `no address of ${place} accepted a connection within ${addressTimeoutMs(timeoutMs)} ms (${error.cause.errors.map(attemptOf).join(', ')})`
      : `${place} accepted no connection within ${timeoutMs} ms`
  return error
}

const attemptOf = ({ address, code }: NodeJS.ErrnoException & { readonly address?: string }): string => `${address ?? '?'}: ${code ?? '?'}`

/** undici destroys a socket with an error where a request on it was given up or failed, and without one where it is done with it. */
function resetWhenGivenUp(socket: Socket, tcp: Socket): Socket {
  const destroy = socket.destroy.bind(socket)
  let cause: Error | undefined
  socket.destroy = (error) => {
    if (error === undefined || cause !== undefined) return destroy(error ?? cause)
    cause = error
    // This comes back here where the socket is TCP's own.
    tcp.resetAndDestroy()
    return destroy(error)
  }
  return socket
}

/** A request begins with its method, and is written whole: its head, then its body in the same turn. */
function keepingBack(socket: Socket, maySend: () => boolean): Socket {
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  let isKeptBack = false
  const checked = (...given: unknown[]): boolean => {
    const [chunk] = given
    if (!isKeptBack && typeof chunk === 'string' && chunk.startsWith('POST ') && !maySend()) {
      isKeptBack = true
      socket.destroy(Object.assign(new Error('it was too late for it to be sent'), { code: KEPT_BACK }))
    }
    return isKeptBack ? false : write(...given)
  }
  socket.write = checked
  return socket
}
