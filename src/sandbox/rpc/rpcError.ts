import { CornermanError } from '../../core/error.ts'

/** An error of Solana's JSON-RPC. Codes as in the validator's `rpc-client-api/src/custom_error.rs`. */
export class RpcError extends CornermanError {
  readonly rpcCode: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super('RPC_REFUSED', message)
    this.rpcCode = code
    this.data = data
  }
}

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const PREFLIGHT_FAILURE = -32002
export const SIGNATURE_VERIFICATION_FAILURE = -32003
export const BLOCK_NOT_AVAILABLE = -32004
export const UNSUPPORTED_TRANSACTION_VERSION = -32015

export const invalidParam = (what: string): RpcError => new RpcError(INVALID_PARAMS, `Invalid param: ${what}`)
