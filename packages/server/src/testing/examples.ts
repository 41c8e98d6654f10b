import { type Input, type Operation, type OperationName, operations } from '@countersign/contract'
import { examples as described } from '@countersign/contract/openapi'
import { aDevice, anAnnouncement, aPasskey, createTestDevice, testPassword } from '@countersign/core/testing'
import { claimsOf } from './claims-of.ts'
import { exampleProject, exampleProjectCode } from './example-project.ts'
import { createPasskey, registerPasskey, signPasskeyLogin } from './passkeys.ts'
import {
  APPROVES,
  announceDevice,
  aPayment,
  approvePayment,
  approvePending,
  type DeviceUser,
  initiatePayment,
  serviceToken,
  sharedPolicy,
  signDeviceLogin,
  signInWithDevice,
  startRequest,
} from './sign-in.ts'
import type { SendOptions, TestApp } from './test-app.ts'

/** Builds a valid input for each operation. The compiler reports a missing operation. */
export type Examples = {
  readonly [N in OperationName]: (test: TestApp, user: DeviceUser) => Input<N> | Promise<Input<N>>
}

export const examples: Examples = {
  'auth.login': (_test, { user }) => ({ email: user.email, password: testPassword, rememberMe: true }),
  'auth.refresh': (_test, { tokens }) => ({ refreshToken: tokens.refreshToken }),
  'auth.logout': (_test, { tokens }) => ({ refreshToken: tokens.refreshToken }),
  'password.change': () => ({ currentPassword: testPassword, newPassword: 'another password, long enough' }),
  'password.forgot': (_test, { user }) => ({ email: user.email }),
  'password.checkCode': async ({ countersign }, { user }) => ({
    code: (await countersign.users.resetPassword({ email: user.email })).code,
  }),
  'password.redeem': async ({ countersign }, { user }) => ({
    code: (await countersign.users.resetPassword({ email: user.email })).code,
    newPassword: 'another password, long enough',
  }),
  'account.me': () => ({}),
  'account.lock': () => ({}),
  'sessions.list': () => ({}),
  'confirmations.list': () => ({}),
  'approvals.list': () => ({}),
  'sessions.open': ({ clock }, { user }) => ({
    user: { id: user.id },
    signedInAt: new Date(clock.now()).toISOString(),
    method: 'oidc',
    userVerified: true,
    address: '203.0.113.9',
    userAgent: 'a browser',
    rememberMe: true,
  }),
  'sessions.end': (_test, { deviceToken }) => ({ sessionId: String(claimsOf(deviceToken).session_id) }),
  'sessions.endOthers': () => ({}),
  'devices.list': () => ({}),
  'devices.remove': (_test, { device }) => ({ deviceId: device.id }),
  'devices.setPushToken': (_test, { device }) => ({ deviceId: device.id, pushToken: 'push-token-of-a-phone' }),
  'devices.beginRegistration': () => anAnnouncement(createTestDevice('ES256')),
  'devices.finishRegistration': async (test, { token }) => (await announceDevice(test, token)).registration,
  'mobile.beginLogin': (_test, { device }) => ({ deviceFingerprint: device.deviceFingerprint }),
  'mobile.finishLogin': async (test, user) => ({ ...(await signDeviceLogin(test, user)), rememberMe: true }),
  'mobile.refresh': (_test, { deviceTokens }) => ({ refreshToken: deviceTokens.refreshToken }),
  'passkeys.beginRegistration': () => ({
    userVerification: 'preferred',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
      authenticatorAttachment: 'platform',
    },
  }),
  'passkeys.finishRegistration': (test, { token }) => createPasskey(test, token),
  'passkeys.beginLogin': async (test, { user, token }) => {
    await registerPasskey(test, token)
    return { email: user.email, userVerification: 'required' }
  },
  'passkeys.finishLogin': async (test, { user, token }) => {
    const passkey = await registerPasskey(test, token)
    return { ...(await signPasskeyLogin(test, passkey, { email: user.email })), rememberMe: true }
  },
  'passkeys.list': async (test, { token }) => {
    await registerPasskey(test, token)
    return {}
  },
  'passkeys.rename': async (test, { token }) => ({ credentialId: (await registerPasskey(test, token)).id, name: "Ada's key" }),
  'passkeys.remove': async (test, { token }) => ({ credentialId: (await registerPasskey(test, token)).id }),
  'devices.vouch': async ({ storage, clock }, { token, user }) => {
    const onProbation = aDevice({ userId: user.id, createdAt: clock.now(), trustedAt: null })
    await storage.devices.register(onProbation, String(claimsOf(token).session_id), 20)
    return { deviceId: onProbation.id }
  },
  'passkeys.vouch': async (test, { token, user }) => {
    const { storage, clock } = test
    const trusted = await registerPasskey(test, token)
    const publicKey = (await storage.passkeys.allOfUser(user.id)).find(({ id }) => id === trusted.id)?.publicKey
    const owner = { userId: user.id, createdAt: clock.now(), trustedAt: null }
    const onProbation = aPasskey({ ...owner, ...(publicKey !== undefined && { publicKey }) })
    await storage.passkeys.register(onProbation, String(claimsOf(token).session_id), 20)
    return { credentialId: onProbation.id }
  },
  'devices.vouching': (_test, { device }) => ({ deviceId: device.id }),
  'passkeys.vouching': async ({ storage, clock }, { user, device }) => {
    const ofDevice = (await storage.sessions.ofUser(user.id, clock.now())).filter(({ deviceId }) => deviceId === device.id)
    // The session that the caller has had longest, because a test may log in again meanwhile.
    const [session] = ofDevice.toSorted((one, other) => one.createdAt - other.createdAt)
    const { id: subjectId } = aPasskey()
    const vouching = { userId: user.id, kind: 'passkey', subjectId, registeredBy: session?.id ?? null } as const
    const unstarted = { confirmationId: null, startedByRegistration: false, restarts: 0, restartsSince: null }
    await storage.vouchings.put({ ...vouching, ...unstarted, createdAt: clock.now() })
    return { credentialId: subjectId }
  },
  'confirmations.initiate': () => ({ actionType: 'payment_approval', actionPayload: { ...aPayment, note: [{ by: 'Ada' }] } }),
  'confirmations.pending': () => ({}),
  'confirmations.status': async (test, { token }) => ({ confirmationId: (await initiatePayment(test, token)).confirmationId }),
  'confirmations.verify': async (test, { token, device, signer }) => {
    const { confirmationId, challenge } = await initiatePayment(test, token)
    return { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) }
  },
  'confirmations.receipt': async (test, user) => ({ confirmationId: await approvedPayment(test, user) }),
  'events.stream': () => ({}),
  'receipts.keys': () => ({}),
  'confirmations.reject': async (test, { token }) => ({
    confirmationId: (await initiatePayment(test, token)).confirmationId,
    reason: 'Not mine',
  }),
  'confirmations.withdraw': async (test, { token }) => ({ confirmationId: (await initiatePayment(test, token)).confirmationId }),
  'services.initiate': (_test, { user }) => ({
    userId: user.id,
    actionType: 'payment_approval',
    actionPayload: aPayment,
    numberMatching: true,
  }),
  'services.confirmation': async (test, user) => ({ confirmationId: await approvePayment(test, user), wait: '1' }),
  'services.withdraw': async (test, { user }) => {
    const service = { name: 'billing', scopes: ['confirmation.initiate:payment_approval'] }
    const asked = { userId: user.id, actionType: 'payment_approval', actionPayload: aPayment, service } as const
    return { confirmationId: (await test.countersign.services.initiate(asked)).id }
  },
  'services.receipt': async (test, user) => ({ confirmationId: await approvePayment(test, user) }),
  'services.redeem': async (test, user) => {
    const { actionPayload } = described['services.redeem'].input
    const confirmationId = await approvePayment(test, user, actionPayload)
    return {
      confirmationId,
      userId: user.user.id,
      actionType: 'payment_approval',
      actionPayload,
      idempotencyKey: 'transfer-1',
    }
  },
  'approvals.start': async (test) => {
    await sharedPolicy(test)
    return { actionType: 'payment_approval', actionPayload: aPayment }
  },
  'approvals.read': async (test, { token }) => ({ approvalId: (await startRequest(test, token)).approvalId }),
  'approvals.withdraw': async (test, { deviceToken }) => ({
    approvalId: (await startRequest(test, deviceToken, aPayment)).approvalId,
  }),
  'approvals.stop': async (test, { user }) => {
    // A tenant of its own, so that no other example asks this user.
    const tenant = `shop-${crypto.randomUUID()}`
    const { actionPolicies, users } = test.countersign
    await actionPolicies.set({ actionType: 'payment_approval', tenant, permission: APPROVES, count: 1 })
    await users.grant({ email: user.email, permissions: [`${APPROVES}@${tenant}`] })
    const { token } = await signInWithDevice(test, { permissions: [`tenant.member@${tenant}`] })
    const action = { actionType: 'payment_approval', actionPayload: aPayment, tenant } as const
    return { approvalId: (await test.ask('approvals.start', action, { token })).approvalId, reason: 'The invoice is forged' }
  },
  'services.withdrawApproval': async (test, { token }) => ({
    approvalId: (await startRequest(test, token, aPayment)).approvalId,
  }),
  'services.approval': async (test, { token }) => ({ approvalId: (await startRequest(test, token, aPayment)).approvalId }),
  'services.redeemApproval': async (test, { token }) => {
    const { actionPayload } = described['services.redeemApproval'].input
    const { approvalId, approvers } = await startRequest(test, token, actionPayload)
    for (const approver of approvers) await approvePending(test, approver, approvalId)
    const policy = { permission: 'payment.approve', count: 2, idempotencyKey: 'transfer-1' }
    return { approvalId, actionType: 'payment_approval', actionPayload, ...policy }
  },
  'internal.verify': () => ({ serviceName: 'billing' }),
  'health.check': () => ({}),
  'health.live': () => ({}),
  'health.ready': () => ({}),
  'projects.create': exampleProject,
  'projects.list': async (test, user) => {
    await exampleProjectCode(test, user)
    return { page: '1', limit: '10', search: 'BRIDGE', sortBy: 'name', sortOrder: 'asc', status: 'pending', progress: 'bidding' }
  },
  'projects.get': async (test, user) => ({ uniqueCode: await exampleProjectCode(test, user) }),
  'projects.update': async (test, user) => ({
    uniqueCode: await exampleProjectCode(test, user),
    name: 'Tunnel',
    contractValue: 2000,
    description: 'Under the river',
    status: 'on_hold',
    progress: 'bidding',
  }),
  'projects.approve': async (test, user) => ({ uniqueCode: await exampleProjectCode(test, user) }),
  'projects.setProgress': async (test, user) => ({ uniqueCode: await exampleProjectCode(test, user), progress: 'delivering' }),
  'projects.remove': async (test, user) => ({ uniqueCode: await exampleProjectCode(test, user) }),
  'projects.countResources': async (test, user) => ({
    uniqueCode: await exampleProjectCode(test, user),
    resourceTypes: ['Task', 'Delivery'],
  }),
  'projects.sumExpenses': async (test, user) => ({ uniqueCode: await exampleProjectCode(test, user) }),
  'productSchemas.list': async (test, user) => {
    await exampleProject(test, user)
    return {}
  },
  'productSchemas.ofType': async (test, user) => {
    await exampleProject(test, user)
    return { type: 'software' }
  },
}

const approvedPayment = async (test: TestApp, { token, deviceToken, device, signer }: DeviceUser): Promise<string> => {
  const { confirmationId, challenge } = await initiatePayment(test, token)
  const input = { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) }
  await test.ask('confirmations.verify', input, { token: deviceToken })
  return confirmationId
}

export const operationNames = Object.keys(operations) as OperationName[]

/** Returns the entry of an operation, typed as any `Operation`. */
export const operationOf = (name: OperationName): Operation => operations[name]

/** The operations with a JSON body. */
export const hasBody = (name: OperationName): boolean => !['GET', 'DELETE'].includes(operationOf(name).method)

export interface Example {
  readonly user: DeviceUser
  readonly input: Readonly<Record<string, unknown>>
  /** Uses the device token if the operation accepts one, because it is allowed everywhere. Services have a token of their own. */
  readonly options: SendOptions
}

/** Returns the token for an operation as request options. */
export const optionsOf = async (test: TestApp, name: OperationName, { deviceToken }: DeviceUser): Promise<SendOptions> => {
  const { authentication } = operationOf(name)
  if (authentication === 'none') return {}
  return { token: authentication === 'service' ? await serviceToken(test) : deviceToken }
}

/** Returns a call that succeeds, for the given user or a new user with a device. */
export const anExample = async (test: TestApp, name: OperationName, given?: DeviceUser): Promise<Example> => {
  const user = given ?? (await signInWithDevice(test))
  const input = await examples[name](test, user)
  return { user, input, options: await optionsOf(test, name, user) }
}

/** Returns an operation's path with these parameters. A missing one becomes `x`. */
export const pathWith = (name: OperationName, members: Readonly<Record<string, unknown>>): string =>
  operationOf(name).path.replaceAll(/\{(\w+)\}/g, (_, member: string) => String(members[member] ?? 'x'))

/** Returns the part of an input that is sent in the body. */
export const bodyOf = (name: OperationName, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(input).filter(([member]) => !operationOf(name).path.includes(`{${member}}`)))
