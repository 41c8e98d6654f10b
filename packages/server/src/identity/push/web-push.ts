import type { lookup } from 'node:dns'
import { Agent } from 'node:https'
import { encryptNotification } from '@block65/webcrypto-web-push'
import { PushTokenGone, realTime, type Subscription, subscriptionOf, systemClock } from '@countersign/core'
import { importJWK, SignJWT } from 'jose'
import { browserPushHosts } from '../../config/push-config.ts'
import { type DeliveryOptions, delivering, PushRefused, refusalOf, type StoppablePush } from './deliver.ts'
import { collapseKeyOf, notificationOf, timeToLive } from './notification.ts'
import { post } from './post.ts'
import { type EndpointRules, isAllowedEndpoint, isOnLoopback, publicLookup } from './push-endpoint.ts'

/** The key pair by which push services know this service (VAPID, RFC 8292), in base64url, and whom they can write to. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
  /** A `mailto:` or `https:` URL. */
  readonly subject: string
}

export interface WebPushOptions extends DeliveryOptions, EndpointRules, VapidKeys {
  /** Resolves host names; by default the resolver of the system. */
  readonly lookup?: typeof lookup
}

/** Seconds for which a push service accepts a signed token. RFC 8292 allows a day. */
const TOKEN_LIFETIME = 12 * 3600

/** The most push services whose tokens are kept. */
const MOST_TOKENS = 100

/** Returns a function that makes the `Authorization` header for a push service, and keeps the token for half of its life. */
const vapid = ({ publicKey, privateKey: d, subject }: VapidKeys) => {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d }, 'ES256')
  const tokens = new Map<string, { readonly header: Promise<string>; readonly until: number }>()
  const sign = async (origin: string, exp: number): Promise<string> => {
    const claims = new SignJWT({ aud: origin, sub: subject, exp }).setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    return `vapid t=${await claims.sign(await key)}, k=${publicKey}`
  }
  return (origin: string, now: number): Promise<string> => {
    const seconds = Math.floor(now / 1000)
    const known = tokens.get(origin)
    if (known !== undefined && seconds < known.until) return known.header
    if (tokens.size >= MOST_TOKENS) tokens.clear()
    const header = sign(origin, seconds + TOKEN_LIFETIME)
    tokens.set(origin, { header, until: seconds + TOKEN_LIFETIME / 2 })
    return header
  }
}

/** The bytes of every body, whose length then says nothing. Mozilla's service passes at most 3,070 on to Firefox on Android. */
const BODY_SIZE = 1024
/** The bytes of a body that are not text (RFC 8188): the header with the public key, a delimiter and the tag. */
const OVERHEAD = 21 + 65 + 1 + 16

/** Encrypts JSON for a browser, with blanks at its end up to the size of every body. */
const encrypt = (subscription: Subscription, members: Readonly<Record<string, unknown>>): Promise<Uint8Array<ArrayBuffer>> => {
  const text = new Uint8Array(BODY_SIZE - OVERHEAD).fill(0x20)
  new TextEncoder().encodeInto(JSON.stringify(members), text)
  return encryptNotification({ ...subscription, expirationTime: null }, text, { pad: false })
}

/** Returns whether the rules allow an endpoint. Logs the host of a refused one, which may be a push service that is new. */
const isAllowed = (endpoint: string, options: WebPushOptions): boolean => {
  const allowed = isAllowedEndpoint(endpoint, options)
  if (!allowed) options.logger.warn('push_host_refused', { host: new URL(endpoint).hostname.slice(0, 253) })
  return allowed
}

/** Returns whether the keys of a subscription are a point on P-256 and 16 bytes. */
const hasKeys = async (subscription: Subscription): Promise<boolean> =>
  encrypt(subscription, {}).then(
    () => true,
    () => false,
  )

/** Creates a push provider for browsers (RFC 8030, RFC 8291). A later message about the same subject replaces an older one. */
export const webPush = (options: WebPushOptions): StoppablePush => {
  const { clock = systemClock } = options
  const authorization = vapid(options)
  const agent = new Agent({ keepAlive: true, lookup: publicLookup(options.lookup) })
  /** The push services that took a message since the start, so they know the key of this service. */
  const knowing = new Set<string>()
  /** With `*`, users choose hosts. Only deliveries to the hosts of browsers say how healthy push is. */
  const counted = { ...options, hosts: options.hosts.flatMap((host) => (host === '*' ? browserPushHosts : [host])) }
  const push = delivering(
    (message) => async (signal) => {
      const subscription = subscriptionOf(message.pushToken)
      // The rules may have changed since the token was stored.
      if (subscription === undefined || !isAllowed(subscription.endpoint, options))
        throw new PushRefused('ENDPOINT_REFUSED', 'this')
      const url = new URL(subscription.endpoint)
      const now = realTime(clock, clock.now())
      const { data, title, body, language: lang, isQuiet } = notificationOf(message)
      const encrypted = await encrypt(subscription, { ...data, title, body, lang }).catch(() => undefined)
      if (encrypted === undefined) throw new PushRefused('KEYS_REFUSED', 'this')
      const answer = await post({
        url,
        headers: {
          authorization: await authorization(url.origin, now),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(timeToLive(message, clock.now())),
          topic: collapseKeyOf(message),
          urgency: isQuiet ? 'normal' : 'high',
        },
        body: encrypted,
        signal,
        agent: options.loopback && isOnLoopback(url) ? undefined : agent,
      })
      const { status, retryAfter } = answer
      if (status >= 200 && status < 300) {
        if (knowing.size >= MOST_TOKENS) knowing.clear()
        knowing.add(url.origin)
        return
      }
      if (status === 404 || status === 410) throw new PushTokenGone()
      // A browser that subscribed with another key. Otherwise the push service refuses the key of this service.
      if (status === 403 && knowing.has(url.origin)) throw new PushRefused('HTTP_403', 'this')
      // Microsoft answers 406 to too many messages.
      throw refusalOf({ status: status === 406 ? 429 : status, retryAfter }, now)
    },
    options,
    (pushToken) => isAllowedEndpoint(subscriptionOf(pushToken)?.endpoint ?? '', counted),
  )
  return {
    ...push,
    faultOf: async (pushToken) => {
      const subscription = subscriptionOf(pushToken)
      if (subscription === undefined) return pushToken.trimStart().startsWith('{') ? 'must have an endpoint' : undefined
      if (!isAllowed(subscription.endpoint, options)) return 'must have an endpoint of a known push service'
      return (await hasKeys(subscription)) ? undefined : 'must have the keys p256dh and auth of a browser'
    },
  }
}
