import type { Client } from '@countersign/client-sdk'
import { demoUser } from './credentials.ts'
import { DemoFailed } from './demo-failed.ts'
import { createPhone, type Phone, signConfirmation } from './phone.ts'
import { connect, refused, told } from './server.ts'
import { tellNote, tellStep } from './tell.ts'

/** An access token, as a call presents it. */
interface Bearer {
  readonly token: string
}

const payment = { amount: 1250, currency: 'EUR', recipient: 'Ada’s Workshop', description: 'Invoice 2041' }

const logIn = async (client: Client): Promise<Bearer> => {
  tellStep(1, 'Log in with email and password', 'A person signs in on a web site, and gets a token that says so.')
  const { accessToken } = await told(client.auth.login({ email: demoUser.email, password: demoUser.password }))
  return { token: accessToken }
}

const registerPhone = async (client: Client, web: Bearer, phone: Phone): Promise<string> => {
  tellStep(2, 'Register a phone', 'The phone makes a key pair, and proves that it holds the private half by signing a challenge.')
  const { deviceName, deviceFingerprint, publicKey } = phone
  const announced = { deviceName, deviceType: 'mobile', deviceFingerprint, publicKey, keyAlgorithm: 'ES256' } as const
  const { sessionId, challenge } = await told(client.devices.beginRegistration(announced, web))
  tellNote('The phone signs the challenge with its private key (ECDSA on P-256).')
  const signed = { sessionId, signedChallenge: phone.sign(challenge) }
  const { deviceId } = await told(client.devices.finishRegistration(signed, web), 'success', 'deviceId')
  return deviceId
}

const logInOnPhone = async (client: Client, phone: Phone): Promise<Bearer> => {
  tellStep(3, 'Log in on the phone', 'No password: the phone signs a challenge, and gets a short-lived token of high trust.')
  const { deviceFingerprint } = phone
  const { sessionId, challenge } = await told(client.mobile.beginLogin({ deviceFingerprint }))
  tellNote('The phone signs the challenge, once a finger or a face has unlocked the key.')
  const login = client.mobile.finishLogin({ sessionId, signedChallenge: phone.sign(challenge) })
  const { accessToken } = await told(login.then(({ tokens }) => tokens))
  return { token: accessToken }
}

const askForPayment = async (client: Client, web: Bearer): Promise<string> => {
  tellStep(4, 'Ask for a payment to be confirmed', 'The web site wants to pay, and may not: only the phone can say yes.')
  const asked = { actionType: 'payment_approval', actionPayload: payment } as const
  const { confirmationId } = await told(client.confirmations.initiate(asked, web))
  return confirmationId
}

const approveOnPhone = async (
  client: Client,
  mobile: Bearer,
  phone: Phone,
  ids: { deviceId: string; confirmationId: string },
) => {
  tellStep(5, 'Approve it on the phone', 'The phone fetches what waits, shows it, and signs exactly what it showed.')
  const { confirmations } = await client.confirmations.pending({}, mobile)
  const pending = confirmations.find(({ confirmationId }) => confirmationId === ids.confirmationId)
  if (pending === undefined) throw new DemoFailed('the payment does not wait on the phone')
  await told(Promise.resolve(pending), 'actionType', 'actionPayload', 'challenge', 'nonce')
  const { amount, currency, recipient } = pending.actionPayload
  tellNote(`On the screen: pay ${amount} ${currency} to ${recipient}?`)
  const approval = { ...ids, signedChallenge: signConfirmation(phone, pending) }
  tellNote('The challenge, computed again from what is on the screen, is the one that was sent: the phone signs it.')
  await told(client.confirmations.verify(approval, mobile))
  return approval
}

const approveAgain = async (
  client: Client,
  mobile: Bearer,
  approval: Awaited<ReturnType<typeof approveOnPhone>>,
): Promise<void> => {
  tellStep(6, 'Try the same approval again', 'An approval is good once. Whoever copied it has nothing.')
  await refused(client.confirmations.verify(approval, mobile), 410)
}

const readStatus = async (client: Client, web: Bearer, confirmationId: string): Promise<void> => {
  tellStep(7, 'Read how it ended', 'The web site learns that the payment is approved.')
  const { status } = await told(client.confirmations.status({ confirmationId }, web), 'status', 'actionPayload', 'updatedAt')
  if (status !== 'approved') throw new DemoFailed(`the payment is ${status} instead of approved`)
}

const removePhone = async (client: Client, web: Bearer, mobile: Bearer, deviceId: string): Promise<void> => {
  tellStep(8, 'Remove the phone', 'It is lost, say. Its sessions end at once, and nothing that it signs counts any more.')
  await told(client.devices.remove({ deviceId }, web))
  await refused(client.confirmations.pending({}, mobile), 401)
}

/** Leaves no device behind where the story broke off; why it did matters more than whether this works. */
const tidyUp = (client: Client, web: Bearer, deviceId: string): Promise<unknown> =>
  client.devices.remove({ deviceId }, web).catch(() => tellNote('The demo phone could not be removed.'))

/**
 * Tells the whole story against the server at `url`.
 * @throws DemoFailed, ClientError where there is no server, or a step is not as expected
 */
export const tellStory = async (url: string): Promise<void> => {
  const client = connect(url)
  const web = await logIn(client)
  const phone = createPhone()
  const deviceId = await registerPhone(client, web, phone)
  try {
    const mobile = await logInOnPhone(client, phone)
    const confirmationId = await askForPayment(client, web)
    const approval = await approveOnPhone(client, mobile, phone, { deviceId, confirmationId })
    await approveAgain(client, mobile, approval)
    await readStatus(client, web, confirmationId)
    await removePhone(client, web, mobile, deviceId)
  } catch (error) {
    await tidyUp(client, web, deviceId)
    throw error
  }
}
