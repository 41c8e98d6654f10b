import { randomUUID } from 'node:crypto'
import { type Client, type ClientOptions, CountersignError, createClient } from '@countersign/client-sdk'
import { anAnnouncement, createTestDevice, type TestDevice, testPassword } from '@countersign/core/testing'

/** What people and their phones do with a running server, through the client that they have. */

/** A client that shows each answer as it comes, however long a busy machine takes for it. */
export const directClient = (baseUrl: string, fetch?: ClientOptions['fetch']): Client =>
  createClient({ baseUrl, retries: 0, timeout: 120_000, ...(fetch === undefined ? {} : { fetch }) })

/**
 * Whoever asks, each from an address of its own; for servers that believe one proxy.
 *
 * @param onAnswer Called at each answer.
 */
export const strangers = (url: string, onAnswer: () => void = () => {}): Client =>
  directClient(url, async (request) => {
    // Documentation addresses of IPv6 (RFC 3849), of which limits count each /64.
    const [first, second] = [randomUUID().slice(0, 4), randomUUID().slice(0, 4)]
    request.headers.set('x-forwarded-for', `2001:db8:${first}:${second}::1`)
    const response = await fetch(request)
    onAnswer()
    return response
  })

/** The status that a call is answered with: 200, or that of its refusal. Rejects where there is no answer. */
export const statusOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
    return 200
  } catch (error) {
    if (error instanceof CountersignError && error.status !== undefined) return error.status
    throw error
  }
}

/** Whether a token is good: 200 or 401. */
export const standing = (client: Client, token: string): Promise<number> =>
  statusOf(client.internal.verify({ serviceName: 'billing' }, { token }))

export const logIn = (client: Client, email: string) => client.auth.login({ email, password: testPassword })

/** A phone with a key. */
export interface Phone {
  readonly deviceId: string
  readonly deviceFingerprint: string
  readonly signer: TestDevice
}

/** Announces a phone and signs its challenge: what finishes its registration, and the phone it then is. */
export const announcePhone = async (client: Client, token: string, deviceFingerprint?: string) => {
  const signer = createTestDevice('ES256')
  const announcement = anAnnouncement(signer, deviceFingerprint)
  const { sessionId, challenge, deviceId } = await client.devices.beginRegistration(announcement, { token })
  const phone: Phone = { deviceId, deviceFingerprint: announcement.deviceFingerprint, signer }
  return { phone, registration: { sessionId, signedChallenge: signer.sign(challenge) } }
}

export const registerPhone = async (client: Client, token: string): Promise<Phone> => {
  const { phone, registration } = await announcePhone(client, token)
  await client.devices.finishRegistration(registration, { token })
  return phone
}

/** Gets a challenge and signs it: what finishes the login of a phone. */
export const signLogin = async (client: Client, { deviceFingerprint, signer }: Phone) => {
  const { sessionId, challenge } = await client.mobile.beginLogin({ deviceFingerprint })
  return { sessionId, signedChallenge: signer.sign(challenge) }
}

export const phoneLogin = async (client: Client, phone: Phone) => {
  const { tokens } = await client.mobile.finishLogin(await signLogin(client, phone))
  return tokens
}

/** Asks for a payment to be confirmed, and has the phone sign it: what approves it. */
export const signPayment = async (client: Client, token: string, { deviceId, signer }: Phone) => {
  const actionPayload = { amount: 1250.5, currency: 'EUR', recipient: 'ACME GmbH' }
  const { confirmationId, challenge } = await client.confirmations.initiate(
    { actionType: 'payment_approval', actionPayload },
    { token },
  )
  return { confirmationId, deviceId, signedChallenge: signer.sign(challenge) }
}
