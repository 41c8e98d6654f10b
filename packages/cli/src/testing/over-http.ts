import { randomUUID } from 'node:crypto'
import { type Client, type ClientOptions, CountersignError, createClient } from '@countersign/client-sdk'
import { anAnnouncement, createTestDevice, type TestDevice, testPassword } from '@countersign/core/testing'

/** Actions of people and their phones on a running server, through the client SDK. */

/** A client that never repeats a call and waits up to two minutes for its response, because test machines can be busy. */
export const directClient = (baseUrl: string, fetch?: ClientOptions['fetch']): Client =>
  createClient({ baseUrl, retries: 0, timeout: 120_000, ...(fetch === undefined ? {} : { fetch }) })

/**
 * A client whose calls come from a different address each time, for servers that trust one proxy.
 *
 * @param onAnswer Called at each response.
 */
export const strangers = (url: string, onAnswer: () => void = () => {}): Client =>
  directClient(url, async (request) => {
    // Each request comes from another /64 of the addresses for documentation (RFC 3849). Rate limits count by /64.
    const [first, second] = [randomUUID().slice(0, 4), randomUUID().slice(0, 4)]
    request.headers.set('x-forwarded-for', `2001:db8:${first}:${second}::1`)
    const response = await fetch(request)
    onAnswer()
    return response
  })

/** Returns the HTTP status of a call: 200, or the status of its error. Rejects if no response came. */
export const statusOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
    return 200
  } catch (error) {
    if (error instanceof CountersignError && error.status !== undefined) return error.status
    throw error
  }
}

/** Returns whether a token is accepted: 200 or 401. */
export const tokenStatus = (client: Client, token: string): Promise<number> =>
  statusOf(client.internal.introspect({ serviceName: 'billing' }, { token }))

export const logIn = (client: Client, email: string) => client.auth.login({ email, password: testPassword })

/** A phone with a key. */
export interface Phone {
  readonly deviceId: string
  readonly deviceFingerprint: string
  readonly signer: TestDevice
}

/** Begins a registration and signs its challenge. Returns the input that finishes the registration, and the phone. */
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

/** Gets a challenge and signs it. Returns the input that finishes the login of a phone. */
export const signLogin = async (client: Client, { deviceFingerprint, signer }: Phone) => {
  const { sessionId, challenge } = await client.mobile.beginLogin({ deviceFingerprint })
  return { sessionId, signedChallenge: signer.sign(challenge) }
}

export const phoneLogin = async (client: Client, phone: Phone) => {
  const { tokens } = await client.mobile.finishLogin(await signLogin(client, phone))
  return tokens
}

/** Initiates a payment and signs it on the phone. Returns the input that approves the payment. */
export const signPayment = async (client: Client, token: string, { deviceId, signer }: Phone) => {
  const actionPayload = { amount: 1250.5, currency: 'EUR', recipient: 'ACME GmbH' }
  const { confirmationId, challenge } = await client.confirmations.initiate(
    { actionType: 'payment_approval', actionPayload },
    { token },
  )
  return { confirmationId, deviceId, signedChallenge: signer.sign(challenge) }
}
