import { z } from 'zod'

/** An address in a config, which is committed and shown. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http or https URL' })
  .refine((text) => !hasCredentials(text), { error: 'a URL without a user name and a password: a config holds no secrets' })

/** An address that requests are made below: their paths and queries take the place of its own query. */
export const baseUrl = httpUrl.refine((text) => !/[?#]/.test(text), { error: 'a URL without ? and #: what stands there would not be sent' })

function hasCredentials(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.username !== '' || url.password !== '')
}
