import type { Client, PendingConfirmation, RequestedConfirmation } from '@countersign/client-sdk'
import { createTestUser, fakeClock, testPassword } from '@countersign/core/testing'
import { createApp } from '@countersign/server'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { createPhone, createSigner } from './phone.ts'
import { tellNote, tellStep } from './print.ts'
import { connect, DemoFailed, printAnswer, refused } from './server.ts'

const payment = { amount: 9999, currency: 'EUR', recipient: 'A stranger' }

/** The person whose session is stolen, with a trusted phone. The thief has copied the token. */
type Victim = Awaited<ReturnType<typeof stealSession>>

/** The thief, who has the token of the web session and nothing else. */
type Thief = Awaited<ReturnType<typeof registerThief>>

/** Returns a way to make clients of a server of its own, whose database is in memory and whose clock can be moved. */
const createServer = async (): Promise<{ readonly test: TestCountersign; readonly client: () => Client }> => {
  const test = await createTestCountersign({ clock: fakeClock(Date.now()) })
  const app = createApp(test.countersign, { version: '0.0.0', socketAddress: () => '203.0.113.7' })
  return { test, client: () => connect('http://theft.example', async (request) => app.fetch(request)) }
}

const stealSession = async (number: number, { test, client }: Awaited<ReturnType<typeof createServer>>) => {
  tellStep(
    number,
    'Steal a web session',
    'On a server in memory, a person logs in and registers a phone. Eleven minutes later, a thief copies the web token.',
  )
  const user = await createTestUser(test)
  const [web, phone] = [client(), client()]
  await web.auth.login({ email: user.email, password: testPassword })
  const signer = await createPhone()
  const { device } = await web.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
  tellNote(`The phone is ${device.trusted === true ? 'trusted' : 'on probation'}: its person has just given the password.`)
  await phone.mobile.login({ signer })
  test.clock.advance(11 * 60_000)
  const stolenToken = await web.accessToken()
  if (stolenToken === undefined) throw new DemoFailed('there is no session to steal')
  return { phone, stolenToken }
}

const registerThief = async (number: number, { stolenToken }: Victim, client: () => Client) => {
  tellStep(
    number,
    'Register a device of the thief',
    'The registration succeeds, as the contract says. But the session is old, so the device is on probation.',
  )
  const [web, phone, signer] = [client(), client(), await createSigner()]
  const device = { signer, deviceName: 'Thief', deviceType: 'mobile' } as const
  const registered = await printAnswer(web.devices.register(device, { token: stolenToken }), 'success', 'deviceId')
  if (registered.device.trusted !== false) throw new DemoFailed('the device of the thief is trusted')
  await phone.mobile.login({ signer })
  return { web, phone, signer, deviceId: registered.deviceId }
}

const tryToApprove = async (number: number, { stolenToken }: Victim, thief: Thief): Promise<RequestedConfirmation> => {
  tellStep(
    number,
    'Try to approve a payment with it',
    'The thief asks for a payment, and tries to list it, to approve it, and to lock the person out.',
  )
  const confirmation = { actionType: 'payment_approval', actionPayload: payment } as const
  const requested = await thief.web.confirmations.request(confirmation, { token: stolenToken })
  const { confirmationId, challenge } = requested
  await refused(thief.phone.confirmations.pending(), 403)
  const pending = { confirmationId } as PendingConfirmation
  const signedChallenge = await thief.signer.sign(challenge, { action: 'approve', confirmation: pending })
  await refused(thief.phone.confirmations.sendApproval({ confirmationId, deviceId: thief.deviceId, signedChallenge }), 403)
  await refused(thief.phone.account.lock(), 403)
  return requested
}

const endTheft = async (number: number, victim: Victim, thief: Thief, requested: RequestedConfirmation): Promise<void> => {
  tellStep(
    number,
    'Say on the phone: I did not ask for this',
    'The phone shows the payment and who asked. The person rejects it, and the session of the thief ends.',
  )
  const { confirmations } = await victim.phone.confirmations.pending()
  const pending = confirmations.find(({ confirmationId }) => confirmationId === requested.confirmationId)
  if (pending === undefined) throw new DemoFailed('the payment of the thief does not wait on the phone')
  await printAnswer(Promise.resolve(pending), 'actionPayload', 'requestedFrom')
  await printAnswer(victim.phone.confirmations.reject(pending, undefined, { notMe: true }), 'status')
  tellNote('The thief tries once more with the stolen token.')
  await refused(thief.web.devices.list(undefined, { token: victim.stolenToken }), 401)
  const { status } = await victim.phone.confirmations.status(requested)
  if (status !== 'rejected') throw new DemoFailed(`the payment of the thief is ${status}`)
  tellNote('Nothing was approved.')
}

/** Plays the theft of a web session, on a server of its own, from the step `first` on. @throws DemoFailed, CountersignError */
export const tellTheft = async (first: number): Promise<void> => {
  const server = await createServer()
  const victim = await stealSession(first, server)
  const thief = await registerThief(first + 1, victim, server.client)
  const requested = await tryToApprove(first + 2, victim, thief)
  await endTheft(first + 3, victim, thief, requested)
}
