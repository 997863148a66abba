import { z } from 'zod'

/** An amount: a micro-USDC digit string on the wire, a bigint here. */
export const amountSchema = z.codec(
  z.string().regex(/^\d{1,24}$/, 'a micro-USDC digit string such as "1000000"'),
  z.bigint().nonnegative(),
  {
    decode: (digits) => BigInt(digits),
    encode: (amount) => amount.toString(),
  },
)

/** An amount that can be negative, such as a profit. */
export const signedAmountSchema = z.codec(z.string().regex(/^-?\d{1,24}$/, 'a micro-USDC digit string, possibly negative'), z.bigint(), {
  decode: (digits) => BigInt(digits),
  encode: (amount) => amount.toString(),
})

export const idSchema = z.uuid()

/** An ISO timestamp on the wire, Unix milliseconds here. */
export const instantSchema = z.codec(z.iso.datetime({ offset: true }), z.number(), {
  decode: (iso) => Date.parse(iso),
  encode: (ms) => new Date(ms).toISOString(),
})

/** Keeps a field that does not read as expected as undefined, so that one odd field never hides a record. */
export const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
