import type { Client, DeviceSigner, PendingConfirmation, RequestedConfirmation } from '@countersign/client-sdk'
import { demoUser } from '@countersign/server'
import { createPhone } from './phone.ts'
import { tellNote, tellStep } from './print.ts'
import { type Evidence, fetchReceipt, tellReceipt } from './receipt.ts'
import { connect, DemoFailed, printAnswer, refused } from './server.ts'
import { tellTheft } from './theft.ts'

const payment = { amount: 1250, currency: 'EUR', recipient: 'Ada’s Workshop', description: 'Invoice 2041' }

const logIn = async (web: Client): Promise<void> => {
  tellStep(1, 'Log in with email and password', 'A person signs in on a web site and gets an access token.')
  await printAnswer(web.auth.login({ email: demoUser.email, password: demoUser.password }))
}

const registerPhone = async (web: Client, signer: DeviceSigner): Promise<string> => {
  tellStep(
    2,
    'Register a phone',
    'The phone creates a key pair, and proves that it holds the private key by signing a challenge.',
  )
  const device = { signer, deviceName: 'Demo phone', deviceType: 'mobile' } as const
  const { deviceId } = await printAnswer(web.devices.register(device), 'success', 'deviceId')
  return deviceId
}

const logInOnPhone = async (phone: Client, signer: DeviceSigner): Promise<void> => {
  tellStep(
    3,
    'Log in on the phone',
    'Without a password: the phone signs a challenge and gets a short-lived token of high trust.',
  )
  await printAnswer(phone.mobile.login({ signer }).then(({ tokens }) => tokens))
}

const askForPayment = (web: Client): Promise<RequestedConfirmation> => {
  tellStep(4, 'Ask for a payment to be confirmed', 'The web site asks for a payment. Only the phone can approve it.')
  const confirmation = { actionType: 'payment_approval', actionPayload: payment } as const
  return printAnswer(web.confirmations.request(confirmation), 'confirmationId', 'expiresAt')
}

const approveOnPhone = async (
  phone: Client,
  signer: DeviceSigner,
  confirmation: RequestedConfirmation,
): Promise<PendingConfirmation> => {
  tellStep(5, 'Approve it on the phone', 'The phone fetches the pending payment, shows it, and signs exactly what it shows.')
  const { confirmations } = await phone.confirmations.pending()
  const pending = confirmations.find(({ confirmationId }) => confirmationId === confirmation.confirmationId)
  if (pending === undefined) throw new DemoFailed('the payment does not wait on the phone')
  await printAnswer(Promise.resolve(pending), 'actionType', 'actionPayload', 'nonce')
  const { amount, currency, recipient } = pending.actionPayload
  tellNote(`On the screen: pay ${amount} ${currency} to ${recipient}?`)
  await printAnswer(phone.confirmations.approve(pending, signer))
  tellNote('On the approver, one tap on the open phone signs, and nobody is asked for a finger.')
  tellNote('With COUNTERSIGN_APPROVER_VERIFICATION=always, it asks for a passkey: a finger, a face or a PIN.')
  return pending
}

const approveAgain = async (phone: Client, signer: DeviceSigner, approved: PendingConfirmation): Promise<void> => {
  tellStep(6, 'Try the same approval again', 'An approval can be used once. A copy of it is worthless.')
  await refused(phone.confirmations.approve(approved, signer), 410)
}

const readStatus = async (confirmation: RequestedConfirmation): Promise<void> => {
  tellStep(7, 'Read the status', 'The web site learns that the payment is approved.')
  const { status } = await printAnswer(confirmation.settled(), 'status', 'actionPayload', 'updatedAt')
  if (status !== 'approved') throw new DemoFailed(`the payment is ${status} instead of approved`)
}

const removePhone = async (web: Client, phone: Client, deviceId: string): Promise<void> => {
  tellStep(9, 'Remove the phone', 'For example, it is lost. Its sessions end immediately, and its signatures are refused.')
  await printAnswer(web.devices.remove({ deviceId }))
  tellNote('The phone tries once more. Its token is refused, and so is its refresh token.')
  await refused(phone.confirmations.pending(), 401)
}

/** Removes the device if the story stopped early. The reason for the stop matters more than a failure here. */
const tidyUp = (web: Client, deviceId: string): Promise<unknown> =>
  web.devices.remove({ deviceId }).catch(() => tellNote('The demo phone could not be removed.'))

/** Plays the story at `url`, then a theft on a server in memory, and verifies a receipt. @throws DemoFailed, CountersignError */
export const tellStory = async (url: string): Promise<void> => {
  const [web, phone] = [connect(url), connect(url)]
  await logIn(web)
  const signer = await createPhone()
  const deviceId = await registerPhone(web, signer)
  let evidence: Evidence
  try {
    await logInOnPhone(phone, signer)
    const confirmation = await askForPayment(web)
    const approved = await approveOnPhone(phone, signer, confirmation)
    await approveAgain(phone, signer, approved)
    await readStatus(confirmation)
    evidence = await fetchReceipt(8, phone, confirmation.confirmationId)
    await removePhone(web, phone, deviceId)
  } catch (error) {
    await tidyUp(web, deviceId)
    throw error
  }
  await tellTheft(10)
  tellReceipt(14, evidence)
}
