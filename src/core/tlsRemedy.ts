const REMEDIES: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate of the server is for another name: put a name into the URL that it is for, or have one made for this name',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired: renew it there',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet: see that the clocks of both machines are right',
}
/** Codes of a certificate whose signer this machine does not trust. */
const UNKNOWN_SIGNER = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
])
const NAME_THE_SIGNER =
  'the certificate of the server is signed by nobody whom this machine trusts: name the file of its CA in the URL, sslrootcert=/path/to/ca.pem'
const FILES = new Set(['ENOENT', 'EACCES', 'EISDIR'])

/** Tells the user what to do about a failed TLS connection. Undefined for any other failure. */
export function tlsRemedy(thrown: unknown): string | undefined {
  const { code, cause, errors, path } = (thrown ?? {}) as Readonly<Record<'code' | 'cause' | 'errors' | 'path', unknown>>
  if (typeof code === 'string') {
    if (REMEDIES[code] !== undefined) return REMEDIES[code]
    if (UNKNOWN_SIGNER.has(code)) return NAME_THE_SIGNER
    // The URL names files: sslrootcert, sslcert or sslkey.
    if (FILES.has(code) && typeof path === 'string') return 'see that the files that the URL names are there, and readable for this user'
  }
  if (/does not support SSL/.test(String((thrown as Error | undefined)?.message)))
    return 'the server speaks no TLS: set ssl = on there, with a certificate'
  if (Array.isArray(errors)) return errors.map(tlsRemedy).find((remedy) => remedy !== undefined)
  return cause === undefined ? undefined : tlsRemedy(cause)
}
