/** Whose time a bot records, as a log's header names it: that of the sandbox, or of the service at an origin. */
export const realmOf = (service: { readonly kind: 'sandbox' } | { readonly kind: 'contestService'; readonly url: string }): string =>
  service.kind === 'sandbox' ? 'sandbox' : new URL(service.url).origin
