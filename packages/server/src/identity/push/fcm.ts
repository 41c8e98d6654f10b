import { type PushMessage, PushTokenGone, realTime, systemClock } from '@countersign/core'
import { SignJWT } from 'jose'
import { attempt } from '../../shared/attempt.ts'
import { type DeliveryOptions, delivering, PushRefused, refusalOf, type StoppablePush } from './deliver.ts'
import { collapseKeyOf, notificationOf, timeToLive } from './notification.ts'
import { post } from './post.ts'
import type { FcmKey } from './push-keys.ts'

export interface FcmOptions extends DeliveryOptions, FcmKey {
  /** The origin of FCM; by default Google's. */
  readonly origin?: string
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
/** Seconds that Google asks to wait if it sends too many requests away without saying for how long. */
const QUOTA_PAUSE = '60'

/** Returns whether a push token has the form of FCM: the id of an app's installation, a colon and the token. */
export const isFcmToken = (pushToken: string): boolean => /^[\w-]{8,64}:[\w-]{64,}$/.test(pushToken)

/** Returns the members of an answer in JSON; none for another answer. */
const membersOf = (text: string): Readonly<Record<string, unknown>> =>
  attempt(() => JSON.parse(text) as Readonly<Record<string, unknown>> | null) ?? {}

/** Returns FCM's own code of a failure, such as `UNREGISTERED`. */
const codeOf = (text: string): string | undefined => /"errorCode":\s*"([A-Z_]{1,64})"/.exec(text)?.[1]

/** Google's words for a token that it never made or no longer knows. The same code means a message that Google cannot read. */
const saysInvalidToken = /registration token is not a valid/

/** The failures of one device: its token is of another sender, or its message is refused. */
const ofOneDevice = ['SENDER_ID_MISMATCH', 'INVALID_ARGUMENT']

/** Returns the message in the form of FCM, for apps on Android, iOS and the web. */
const bodyOf = (message: PushMessage, now: number): string => {
  const { data, title, body, isQuiet } = notificationOf(message)
  const [ttl, key] = [timeToLive(message, now), collapseKeyOf(message)]
  const expiration = String(Math.floor(now / 1000) + ttl)
  return JSON.stringify({
    message: {
      token: message.pushToken,
      notification: { title, body },
      data,
      android: { priority: isQuiet ? 'NORMAL' : 'HIGH', ttl: `${ttl}s`, collapse_key: key, notification: { tag: key } },
      apns: { headers: { 'apns-priority': isQuiet ? '5' : '10', 'apns-expiration': expiration, 'apns-collapse-id': key } },
      webpush: { headers: { TTL: String(ttl), Urgency: isQuiet ? 'normal' : 'high', Topic: key } },
    },
  })
}

/** Creates a push provider that sends messages through Firebase Cloud Messaging (HTTP v1). */
export const fcmPush = (options: FcmOptions): StoppablePush => {
  const { key, projectId, clientEmail, tokenUri, origin = 'https://fcm.googleapis.com', clock = systemClock } = options
  const url = new URL(`/v1/projects/${encodeURIComponent(projectId)}/messages:send`, origin)
  let access: { readonly token: Promise<string>; until: number } | undefined

  const requestAccess = async (now: number, signal: AbortSignal): Promise<{ token: string; lifetime: number }> => {
    const seconds = Math.floor(now / 1000)
    const claims = { iss: clientEmail, scope: SCOPE, aud: tokenUri, iat: seconds, exp: seconds + 3600 }
    const assertion = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT' }).sign(key)
    const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await post({ url: new URL(tokenUri), headers, body, signal })
    const { access_token: token, expires_in: lifetime } = membersOf(answer.text)
    if (answer.status === 200 && typeof token === 'string' && typeof lifetime === 'number') return { token, lifetime }
    const refusal = refusalOf(answer, now)
    throw new PushRefused(
      `ACCESS_TOKEN_${refusal.code}`,
      refusal.refused === 'this' ? 'every' : refusal.refused,
      refusal.retryAfter,
    )
  }

  /** Returns the access token that all messages share until a minute before it expires. */
  const accessToken = (now: number, signal: AbortSignal): Promise<string> => {
    if (access !== undefined && now < access.until) return access.token
    const requested = requestAccess(now, signal)
    const next = { token: requested.then(({ token }) => token), until: Number.POSITIVE_INFINITY }
    access = next
    requested.then(
      ({ lifetime }) => {
        next.until = now + (lifetime - 60) * 1000
      },
      () => {
        if (access === next) access = undefined
      },
    )
    return next.token
  }

  return delivering(
    (message) => async (signal) => {
      const now = realTime(clock, clock.now())
      const used = accessToken(now, signal)
      const headers = { authorization: `Bearer ${await used}`, 'content-type': 'application/json' }
      const answer = await post({ url, headers, body: bodyOf(message, now), signal })
      if (answer.status === 200) return
      const code = codeOf(answer.text)
      if (code === 'UNREGISTERED' || (code === 'INVALID_ARGUMENT' && saysInvalidToken.test(answer.text)))
        throw new PushTokenGone()
      const { status, retryAfter } = answer
      const refusal = refusalOf({ status, retryAfter: retryAfter ?? (status === 429 ? QUOTA_PAUSE : undefined) }, now)
      if (status === 401 && code === undefined) {
        // The access token ended before its time. The next attempt gets a new one.
        if (access?.token === used) access = undefined
        throw new PushRefused(refusal.code, 'now')
      }
      const refused = code !== undefined && ofOneDevice.includes(code) ? 'this' : refusal.refused
      throw new PushRefused(code ?? refusal.code, refused, refusal.retryAfter)
    },
    options,
  )
}
