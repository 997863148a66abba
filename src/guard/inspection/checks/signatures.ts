import { refusal } from '../codes.ts'
import { isSignedBy } from '../ed25519.ts'
import { type Check, firstRefusal } from './check.ts'

/**
 * Whoever must sign besides the agent has signed these very bytes: the service adds the agent's signature and no other. The
 * agent's own place, the first, may be empty or hold anything.
 */
export const signatures: Check = ({ message }) =>
  firstRefusal(message.signers.slice(1), (signer) => {
    const signature = message.signatures[message.signers.indexOf(signer)]
    if (signature === undefined || signature.every((byte) => byte === 0))
      return refusal('TX_SIGNATURE_MISSING', `${signer} has not signed`, { signer })
    if (isSignedBy(signer, message.signed, signature)) return undefined
    return refusal('TX_SIGNATURE_INVALID', `the signature of ${signer} is not over this message`, { signer })
  })
