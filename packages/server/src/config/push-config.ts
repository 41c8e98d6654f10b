/** A way in which devices are notified of pending confirmations. */
export type PushConfig =
  | { readonly provider: 'log' }
  | {
      readonly provider: 'webhook'
      readonly url: string
      /** `whsec_…`, the form of secrets in Standard Webhooks. */
      readonly secret: string
    }

export type PushProviderName = PushConfig['provider']

/**
 * The providers of push messages, in the order in which they are asked for a token: those of one form of tokens first, then those
 * that take every token.
 */
export const pushProviderNames = ['webhook', 'log'] as const satisfies readonly PushProviderName[]
