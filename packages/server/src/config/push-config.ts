/** A way in which devices are notified of pending confirmations. */
export type PushConfig =
  | { readonly provider: 'log' }
  | {
      readonly provider: 'webhook'
      readonly url: string
      /** `whsec_…`, the form of secrets in Standard Webhooks. */
      readonly secret: string
    }
  | {
      readonly provider: 'webpush'
      /** A point on P-256 in base64url. Pages subscribe with it (`applicationServerKey`). */
      readonly publicKey: string
      /** 32 bytes in base64url. */
      readonly privateKey: string
      /** A `mailto:` or `https:` URL, at which push services reach the operator. */
      readonly subject: string
      /** The hosts of push services and their subdomains, or `*` for every host. */
      readonly hosts: readonly string[]
      /** True if an endpoint may be on this machine, with http: everywhere but in production. */
      readonly loopback: boolean
    }
  | {
      readonly provider: 'fcm'
      /** The path of the key file of a service account. */
      readonly credentialsFile: string
    }
  | {
      readonly provider: 'apns'
      /** The path of a `.p8` key. */
      readonly keyFile: string
      readonly keyId: string
      readonly teamId: string
      /** The id of the app's bundle. */
      readonly topic: string
      readonly environment: ApnsEnvironment
    }

export const apnsEnvironments = ['production', 'sandbox'] as const
type ApnsEnvironment = (typeof apnsEnvironments)[number]

export type PushProviderName = PushConfig['provider']

/** The providers, in the order in which they are tried for a push token: those of one form of tokens, then those of every token. */
export const pushProviderNames = ['webpush', 'apns', 'fcm', 'webhook', 'log'] as const satisfies readonly PushProviderName[]

/** The hosts of the push services of browsers, as suffixes. */
export const browserPushHosts: readonly string[] = [
  'fcm.googleapis.com',
  // Chromium from its sources, without Google's keys of a release.
  'jmt17.google.com',
  'android.googleapis.com',
  'push.services.mozilla.com',
  'push.apple.com',
  'notify.windows.com',
]
