import { zstdCompressSync } from 'node:zlib'
import { MINT_BYTES, readMint, TOKEN_PROGRAMS } from '../../core/tokenProgram.ts'
import { tokenOfMint } from '../../core/tokens.ts'
import { base58Of } from '../chain/base58.ts'
import { holdingOf } from '../chain/tokenAccounts.ts'
import { feeSchedulesOf, isExtendedMint } from '../chain/transferFees.ts'
import type { ChainAccount } from '../chain/vm.ts'
import type { AccountOptions } from './params.ts'
import { INVALID_REQUEST, RpcError } from './rpcError.ts'

const MOST_BASE58_BYTES = 128
/** No account pays rent any more: the value validators give. */
const RENT_EPOCH = 18_446_744_073_709_552_000

/** An account as the RPC gives it. */
export function encodeAccount(account: ChainAccount, { encoding, dataSlice }: AccountOptions) {
  const { lamports, owner, executable, data } = account
  const shown = dataSlice === undefined ? data : data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length)
  const form = { lamports: Number(lamports), owner, executable, rentEpoch: RENT_EPOCH, space: data.length }
  return { ...form, data: (encoding === 'jsonParsed' ? parsedOf(account) : null) ?? encodeData(shown, encoding) }
}

function encodeData(data: Uint8Array, encoding: AccountOptions['encoding']) {
  switch (encoding) {
    case 'base58':
      if (data.length > MOST_BASE58_BYTES)
        throw new RpcError(
          INVALID_REQUEST,
          `Encoded binary (base 58) data should be less than ${MOST_BASE58_BYTES} bytes, please use Base64 encoding.`,
        )
      return [base58Of(data), encoding] as const
    case 'base64+zstd':
      return [zstdCompressSync(data).toString('base64'), encoding] as const
    case 'base64':
    case 'jsonParsed':
      return [Buffer.from(data).toString('base64'), 'base64'] as const
  }
}

/** What is in an account of the token programs; null for any other. */
function parsedOf(account: ChainAccount) {
  const { owner: programId, data } = account
  if (!TOKEN_PROGRAMS.includes(programId)) return null
  const program = TOKEN_PROGRAMS.indexOf(programId) === 0 ? 'spl-token' : 'spl-token-2022'
  const holding = holdingOf(account)
  if (holding !== undefined) {
    const { mint, owner, amount } = holding
    const info = {
      isNative: tokenOfMint(mint)?.symbol === 'SOL',
      mint,
      owner,
      state: 'initialized',
      tokenAmount: tokenAmount(amount, mint),
    }
    return { program, parsed: { info, type: 'account' }, space: data.length }
  }
  if (data.length !== MINT_BYTES && !isExtendedMint(data)) return null
  const { supply, decimals, isInitialized } = readMint(data)
  const extensions = program === 'spl-token' ? {} : { extensions: extensionsOf(data) }
  const info = { decimals, freezeAuthority: null, isInitialized, mintAuthority: null, supply: supply.toString(), ...extensions }
  return { program, parsed: { info, type: 'mint' }, space: data.length }
}

function extensionsOf(mint: Uint8Array) {
  const schedules = feeSchedulesOf(mint)?.map(({ epoch, maximum, feeBps }) => ({
    ...{ epoch: Number(epoch), maximumFee: Number(maximum), transferFeeBasisPoints: feeBps },
  }))
  if (schedules === undefined) return []
  const [olderTransferFee, newerTransferFee] = schedules
  const authorities = { transferFeeConfigAuthority: null, withdrawWithheldAuthority: null, withheldAmount: 0 }
  return [{ extension: 'transferFeeConfig', state: { ...authorities, olderTransferFee, newerTransferFee } }]
}

/** An amount of a token for programs and for people. */
export function tokenAmount(amount: bigint, mint: string) {
  const decimals = tokenOfMint(mint)?.decimals ?? 0
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals)
  const uiAmountString = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}
