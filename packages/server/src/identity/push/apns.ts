import { once } from 'node:events'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { type PushMessage, PushTokenGone, realTime, systemClock } from '@countersign/core'
import { SignJWT } from 'jose'
import { type DeliveryOptions, delivering, PushRefused, refusalOf, type StoppablePush } from './deliver.ts'
import { collapseKeyOf, notificationOf, timeToLive } from './notification.ts'
import { readAnswer } from './post.ts'
import type { readApnsKey } from './push-keys.ts'

export interface ApnsOptions extends DeliveryOptions {
  readonly key: Awaited<ReturnType<typeof readApnsKey>>
  /** The id of the key, of ten characters. */
  readonly keyId: string
  /** The id of the developer team, of ten characters. */
  readonly teamId: string
  /** The id of the app's bundle. */
  readonly topic: string
  readonly origin: string
}

/** The origin of each environment. An app from Xcode has tokens of the sandbox. */
export const apnsOrigins = {
  production: 'https://api.push.apple.com',
  sandbox: 'https://api.sandbox.push.apple.com',
} as const

/** Apple refuses a provider token that is older than an hour, and a new one within 20 minutes. */
const [TOKEN_LIFETIME, LEAST_LIFETIME] = [40 * 60_000, 20 * 60_000]

/** Returns whether a push token has the form of APNs: bytes in hexadecimal. Apple says that their number may grow from 32. */
export const isApnsToken = (pushToken: string): boolean => /^(?:[\da-f]{2}){32,100}$/i.test(pushToken)

/** Apple's word for a token that it never made, or that its other environment made. */
const BAD_TOKEN = 'BadDeviceToken'
const goneReasons = ['Unregistered', BAD_TOKEN, 'ExpiredToken']
/** Refusals that all messages of this configuration get. */
const everyReasons = ['BadTopic', 'MissingTopic', 'TopicDisallowed', 'InvalidProviderToken', 'MissingProviderToken']

const reasonIn = (text: string): string | undefined => /"reason"\s*:\s*"([A-Za-z]{1,64})"/.exec(text)?.[1]

/** Returns the time since which Apple has not known the token, if Apple says it: milliseconds since 1970. */
const goneSince = (text: string): number | undefined => {
  const time = /"timestamp"\s*:\s*(\d{1,15})\b/.exec(text)?.[1]
  return time === undefined ? undefined : Number(time)
}

/** Opens connections to APNs. All messages share one connection until it ends, or Apple sends GOAWAY: Node then closes it. */
const connections = (origin: string) => {
  let current: ClientHttp2Session | undefined
  /** Lets a connection finish its requests and begin no more. */
  const leave = (session: ClientHttp2Session): void => {
    if (current === session) current = undefined
    if (!session.closed && !session.destroyed) session.close()
  }
  const open = (): ClientHttp2Session => {
    const session = connect(origin)
    session.on('error', () => leave(session))
    return session
  }
  return {
    take: (): ClientHttp2Session => {
      if (current === undefined || current.closed || current.destroyed) current = open()
      return current
    },
    leave,
    close: () => current && leave(current),
  }
}

/** Creates a push provider that sends messages through Apple's push service (HTTP/2, with tokens of a key). */
export const apnsPush = (options: ApnsOptions): StoppablePush => {
  const { key, keyId, teamId, topic, origin, clock = systemClock } = options
  const sessions = connections(origin)
  let signed: { readonly token: Promise<string>; readonly at: number } | undefined
  /** True if Apple has accepted a message since the start, which shows that the environment is right. */
  let hasDelivered = false

  const providerToken = (now: number): Promise<string> => {
    if (signed === undefined || Math.abs(now - signed.at) >= TOKEN_LIFETIME) {
      const claims = new SignJWT({ iss: teamId, iat: Math.floor(now / 1000) })
      signed = { token: claims.setProtectedHeader({ alg: 'ES256', kid: keyId }).sign(key), at: now }
    }
    return signed.token
  }

  const send = async (message: PushMessage, now: number, signal: AbortSignal) => {
    const authorization = `bearer ${await providerToken(now)}`
    const { data, title, body, isQuiet } = notificationOf(message)
    const session = sessions.take()
    const stream = session.request(
      {
        ':method': 'POST',
        ':path': `/3/device/${message.pushToken}`,
        authorization,
        'apns-topic': topic,
        'apns-push-type': 'alert',
        'apns-priority': isQuiet ? '5' : '10',
        'apns-expiration': String(Math.floor(now / 1000) + timeToLive(message, now)),
        'apns-collapse-id': collapseKeyOf(message),
      },
      { signal },
    )
    // The signal causes two errors, and `once` handles only the first.
    stream.on('error', () => {})
    // Abandons a connection that has gone silent, so that the next attempt opens a new connection.
    signal.addEventListener('abort', () => sessions.leave(session), { once: true })
    stream.end(JSON.stringify({ aps: { alert: { title, body }, ...(!isQuiet && { sound: 'default' }) }, ...data }))
    const [headers] = (await once(stream, 'response', { signal })) as [Readonly<Record<string, unknown>>]
    const text = await readAnswer(stream)
    stream.close(constants.NGHTTP2_NO_ERROR)
    return { status: Number(headers[':status']), retryAfter: headers['retry-after'] as string | undefined, text }
  }

  const push = delivering(
    (message) => async (signal) => {
      const now = realTime(clock, clock.now())
      const answer = await send(message, now, signal)
      if (answer.status === 200) {
        hasDelivered = true
        return
      }
      const reason = reasonIn(answer.text)
      // Until a message arrives, all tokens may be of the other environment. None of them is removed.
      if (reason === BAD_TOKEN && !hasDelivered) throw new PushRefused(BAD_TOKEN, 'every')
      if (answer.status === 410 || goneReasons.includes(reason ?? '')) throw new PushTokenGone(goneSince(answer.text))
      const refusal = refusalOf(answer, now)
      if (reason === 'ExpiredProviderToken' && signed !== undefined && Math.abs(now - signed.at) >= LEAST_LIFETIME) {
        signed = undefined
        throw new PushRefused(reason, 'now')
      }
      throw new PushRefused(
        reason ?? refusal.code,
        everyReasons.includes(reason ?? '') ? 'every' : refusal.refused,
        refusal.retryAfter,
      )
    },
    options,
  )
  return {
    ...push,
    stop: () => {
      push.stop()
      sessions.close()
    },
  }
}
