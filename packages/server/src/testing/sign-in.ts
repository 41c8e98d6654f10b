import type { KeyAlgorithm, Output } from '@countersign/contract'
import type { UserProfile } from '@countersign/core'
import { anAnnouncement, createTestDevice, createTestUser, type TestDevice, testPassword } from '@countersign/core/testing'
import type { TestApp } from './test-app.ts'

/** Short forms of the first steps of most tests, over HTTP. */

export type Tokens = Output<'auth.login'>

export interface SignedIn {
  readonly user: UserProfile
  readonly tokens: Tokens
  /** The access token as request options. */
  readonly token: string
}

/** Logs in by password. Creates a user if none is given. */
export const signIn = async (test: TestApp, given?: UserProfile): Promise<SignedIn> => {
  const user = given ?? (await createTestUser(test))
  const tokens = await test.ask('auth.login', { email: user.email, password: testPassword })
  return { user, tokens, token: tokens.accessToken }
}

export interface RegisteredDevice {
  readonly device: Output<'devices.finishRegistration'>['device']
  /** The device with its private key. */
  readonly signer: TestDevice
}

export interface RegisterDevice {
  readonly algorithm?: KeyAlgorithm
  readonly deviceFingerprint?: string
  readonly signer?: TestDevice
  readonly enrolmentCode?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The permissions of the new user. */
  readonly permissions?: readonly string[]
}

/** Announces a device key and signs the challenge. Returns the input that finishes the registration. */
export const announceDevice = async (test: TestApp, token: string, options: RegisterDevice = {}) => {
  const { algorithm = 'ES256', signer = createTestDevice(algorithm), deviceFingerprint, enrolmentCode } = options
  const announcement = { ...anAnnouncement(signer, deviceFingerprint), ...(enrolmentCode !== undefined && { enrolmentCode }) }
  const { sessionId, challenge } = await test.ask('devices.beginRegistration', announcement, { token })
  return { signer, registration: { sessionId, signedChallenge: signer.sign(challenge) } }
}

/** Registers a device: announces its key and signs the challenge with it. */
export const registerDevice = async (
  test: TestApp,
  token: string,
  options: RegisterDevice = {},
): Promise<RegisteredDevice & { readonly answer: Output<'devices.finishRegistration'> }> => {
  const { signer, registration } = await announceDevice(test, token, options)
  const answer = await test.ask('devices.finishRegistration', registration, { token, headers: options.headers ?? {} })
  return { device: answer.device, signer, answer }
}

/** Gets a challenge for a device and signs it. Returns the input that finishes the login. */
export const signDeviceLogin = async (test: TestApp, { device, signer }: RegisteredDevice) => {
  const { sessionId, challenge } = await test.ask('mobile.beginLogin', { deviceFingerprint: device.deviceFingerprint })
  return { sessionId, signedChallenge: signer.sign(challenge) }
}

/** Logs in by a device's signature. */
export const deviceLogin = async (test: TestApp, registered: RegisteredDevice, rememberMe = false): Promise<Tokens> => {
  const { tokens } = await test.ask('mobile.finishLogin', { ...(await signDeviceLogin(test, registered)), rememberMe })
  return tokens
}

export interface DeviceUser extends SignedIn, RegisteredDevice {
  /** The tokens of the device session. */
  readonly deviceTokens: Tokens
  /** The access token among them. */
  readonly deviceToken: string
}

/** A new user with one device, logged in by password and by device. */
export const signInWithDevice = async (test: TestApp, options: RegisterDevice = {}): Promise<DeviceUser> => {
  const { permissions } = options
  const signedIn = await signIn(test, await createTestUser(test, permissions && { permissions: [...permissions] }))
  const registered = await registerDevice(test, signedIn.token, options)
  const deviceTokens = await deviceLogin(test, registered)
  return { ...signedIn, ...registered, deviceTokens, deviceToken: deviceTokens.accessToken }
}

export const aPayment = { amount: 1250.5, currency: 'EUR', recipient: 'ACME GmbH' }

/** Initiates the confirmation of a payment. */
export const initiatePayment = (test: TestApp, token: string, actionPayload: Readonly<Record<string, unknown>> = {}) =>
  test.ask(
    'confirmations.initiate',
    { actionType: 'payment_approval', actionPayload: { ...aPayment, ...actionPayload } },
    { token },
  )

/** Initiates the confirmation of a payment, and approves it. Returns its id. */
export const approvePayment = async (
  test: TestApp,
  { token, deviceToken, device, signer }: DeviceUser,
  actionPayload: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const { confirmationId, challenge } = await initiatePayment(test, token, actionPayload)
  const approval = { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) }
  await test.ask('confirmations.verify', approval, { token: deviceToken })
  return confirmationId
}

/** The scopes of a service that initiates, reads and redeems payments. */
export const paymentScopes = [
  'confirmation.initiate',
  'confirmation.read',
  'confirmation.redeem',
  'approval.read',
  'approval.redeem',
].map((verb) => `${verb}:payment_approval`)

/** The permission of the approvers in tests. */
export const APPROVES = 'payment.approve'

/** Sets the policy of payments, and creates as many approvers as it needs, each with a device. */
export const givenPolicy = async (test: TestApp, count = 2, approvers = count): Promise<readonly DeviceUser[]> => {
  await test.countersign.actionPolicies.set({ actionType: 'payment_approval', permission: APPROVES, count })
  return Promise.all(Array.from({ length: approvers }, () => signInWithDevice(test, { permissions: [APPROVES] })))
}

/** Only the first hundred holders of a permission are asked, and each costs time, so the requests of one test share approvers. */
const approversOf = new WeakMap<TestApp, ReturnType<typeof givenPolicy>>()

/** Sets a policy of two approvals, with its approvers, once for a test. */
export const sharedPolicy = (test: TestApp): ReturnType<typeof givenPolicy> => {
  const approvers = approversOf.get(test) ?? givenPolicy(test)
  approversOf.set(test, approvers)
  return approvers
}

/** Starts an approval request for a payment under a policy of two approvals. */
export const startRequest = async (test: TestApp, token: string, actionPayload: Readonly<Record<string, unknown>> = aPayment) => {
  const approvers = await sharedPolicy(test)
  const action = { actionType: 'payment_approval', actionPayload: { ...aPayment, ...actionPayload } } as const
  return { ...(await test.ask('approvals.start', action, { token })), approvers }
}

/** Approves a confirmation that waits for this user: the newest one, or the one of an approval request. Returns its id. */
export const approvePending = async (
  test: TestApp,
  { deviceToken, device, signer }: Pick<DeviceUser, 'deviceToken' | 'device' | 'signer'>,
  approvalId?: string,
): Promise<string> => {
  const { confirmations } = await test.ask('confirmations.pending', {}, { token: deviceToken })
  const asked = confirmations.find(({ statement }) => approvalId === undefined || statement.approval?.id === approvalId)
  if (asked === undefined) throw new Error('the user was not asked')
  const { confirmationId, challenge } = asked
  const approval = { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) }
  await test.ask('confirmations.verify', approval, { token: deviceToken })
  return confirmationId
}

/** Issues a service token, by default for `billing` with the scopes for payments. */
export const serviceToken = async (
  { countersign }: Pick<TestApp, 'countersign'>,
  {
    service = 'billing',
    scopes = [...paymentScopes, 'session.open'],
  }: { readonly service?: string; readonly scopes?: readonly string[] } = {},
): Promise<string> => (await countersign.serviceTokens.issue({ service, scopes })).token
