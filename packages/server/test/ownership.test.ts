import { randomUUID } from 'node:crypto'
import { type OperationName, type Output, operations } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { claimsOf } from '../src/testing/claims-of.ts'
import { anExample, type Example, hasBody, operationNames, operationOf } from '../src/testing/examples.ts'
import { openBeforeAll } from '../src/testing/open-before-all.ts'
import { registerPasskey } from '../src/testing/passkeys.ts'
import { type DeviceUser, initiatePayment, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { openSqlite } from '../src/testing/test-storages.ts'

/** The ids that belong to no user: permissions decide about them. */
const ofNobody: readonly string[] = ['customerId']

/** Returns the members that name an object of a user. */
const idsOf = (input: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(input).filter((member) => /Id$/.test(member) && !ofNobody.includes(member))

const authenticated = operationNames.filter((name) => operationOf(name).authentication === 'user')

/** The status for an id of another user's object: the same as for an unknown id. */
const refusals: Readonly<Partial<Record<OperationName, Readonly<Record<string, number>>>>> = {
  'sessions.end': { sessionId: 404 },
  'devices.remove': { deviceId: 404 },
  'devices.vouch': { deviceId: 404 },
  'devices.vouching': { deviceId: 404 },
  'devices.setPushToken': { deviceId: 404 },
  'devices.finishRegistration': { sessionId: 404 },
  'passkeys.finishRegistration': { challengeId: 404 },
  'passkeys.rename': { credentialId: 404 },
  'passkeys.remove': { credentialId: 404 },
  'passkeys.vouch': { credentialId: 404 },
  'passkeys.vouching': { credentialId: 404 },
  'confirmations.status': { confirmationId: 404 },
  // The token must belong to the named device.
  'confirmations.receipt': { confirmationId: 404 },
  'approvals.read': { approvalId: 404 },
  'confirmations.verify': { confirmationId: 404, deviceId: 403 },
  'confirmations.reject': { confirmationId: 404 },
  'confirmations.withdraw': { confirmationId: 404 },
  'approvals.withdraw': { approvalId: 404 },
  'approvals.stop': { approvalId: 404 },
}

/** Everything that a user can see, and the profile that tokens contain. */
const stateOf = async (test: TestApp, { user, deviceToken }: DeviceUser, confirmationIds: readonly string[] = []) => ({
  devices: await test.ask('devices.list', {}, { token: deviceToken }),
  passkeys: await test.ask('passkeys.list', {}, { token: deviceToken }),
  pending: await test.ask('confirmations.pending', {}, { token: deviceToken }),
  confirmations: await Promise.all(
    confirmationIds.map((confirmationId) => test.ask('confirmations.status', { confirmationId }, { token: deviceToken })),
  ),
  profile: await test.countersign.users.find({ email: user.email }),
  sessions: (await test.countersign.sessions.list({ email: user.email })).length,
})

describe('an object of another user', () => {
  let test: TestApp
  openBeforeAll(openSqlite, (app) => {
    test = app
  })

  it('every operation with an id of a user’s object is tested', async () => {
    for (const name of authenticated) {
      const { input } = await anExample(test, name)
      expect(Object.keys(refusals[name] ?? {}).sort(), name).toEqual([...idsOf(input)].sort())
    }
  })

  const cases = (Object.keys(refusals) as OperationName[]).flatMap((name) =>
    Object.entries(refusals[name] ?? {}).map(([member, status]) => ({ name, member, status })),
  )
  it.each(cases)(
    '$name answers $status for the $member of another user and changes nothing',
    async ({ name, member, status }) => {
      const owner = await anExample(test, name)
      const before = await stateOf(test, owner.user)
      const attempt = async (id: string) => {
        const { input, options } = await anExample(test, name)
        const answer = await test.call(name, { ...input, [member]: id }, options)
        return { status: answer.status, text: answer.text, headers: [...answer.headers.keys()] }
      }
      const given = String(owner.input[member])
      const unknown = given.startsWith('conf_') ? `conf_${randomUUID()}` : randomUUID()
      const foreign = await attempt(given)
      expect(foreign).toEqual(await attempt(unknown))
      expect(foreign.status).toBe(status)
      expect(await stateOf(test, owner.user)).toEqual(before)
      // The refused attempts have used nothing up.
      const own = await test.call(name, owner.input, owner.options)
      expect(own.status).toBe(operations[name].success)
    },
  )

  it.each(authenticated.filter((name) => refusals[name] !== undefined))(
    '%s is refused with the token of another user when everything else is right',
    async (name) => {
      const owner = await anExample(test, name)
      const stranger = await signInWithDevice(test)
      const before = await stateOf(test, owner.user)
      for (const token of [stranger.token, stranger.deviceToken]) {
        const { status } = await test.call(name, owner.input, { token })
        expect([403, 404, 410]).toContain(status)
      }
      expect(await stateOf(test, owner.user)).toEqual(before)
      expect((await test.call(name, owner.input, owner.options)).status).toBe(operations[name].success)
    },
  )

  it('lists contain nothing of other users', async () => {
    const [user, other] = [await signInWithDevice(test), await signInWithDevice(test)]
    await initiatePayment(test, other.token)
    await registerPasskey(test, other.token)
    for (const query of [{}, { userId: other.user.id }, { caller: other.user.id, deviceId: other.device.id }]) {
      const devices = await test.call('devices.list', query, { token: user.token })
      expect(devices.body).toMatchObject({ data: { devices: [{ id: user.device.id }] } })
      const pending = await test.call('confirmations.pending', query, { token: user.deviceToken })
      expect(pending.body).toEqual({ data: { confirmations: [] } })
      const passkeys = await test.call('passkeys.list', query, { token: user.token })
      expect(passkeys.body).toEqual({ data: { credentials: [] } })
    }
  })
})

describe('unexpected members of a body', () => {
  /** Members that would raise the caller's privileges if they had an effect. */
  const privileges = ({ user, device, deviceToken, tokens }: DeviceUser) => ({
    userId: user.id,
    user_id: user.id,
    id: user.id,
    sub: String(user.id),
    email_verified: true,
    owner: user.id,
    caller: { userId: user.id, permissions: ['*.*'], tokenUse: 'biometric_access', deviceId: device.id, trustLevel: 'high' },
    token: deviceToken,
    accessToken: deviceToken,
    role: 'admin',
    admin: true,
    isAdmin: true,
    permissions: ['*.*'],
    scopes: ['*'],
    status: 'approved',
    isActive: false,
    outcome: 'approved',
    trustLevel: 'high',
    trust_level: 'high',
    authMethod: 'biometric',
    disabledAt: 0,
    lockedAt: 0,
    address: '192.0.2.1',
    client: { address: '192.0.2.1', userAgent: 'not mine' },
    userAgent: 'not mine',
    createdAt: 0,
    updatedAt: 0,
    expiresAt: '2100-01-01T00:00:00.000Z',
    challenge: 'A'.repeat(88),
    nonce: 'A'.repeat(88),
    actionPayloadText: '{"amount":1,"currency":"EUR","recipient":"somebody else"}',
    now: 0,
    refreshToken: tokens.refreshToken,
    deviceId: device.id,
  })
  /** Returns the privileged members that are not part of the example. */
  const beside = ({ input }: Example, victim: DeviceUser) =>
    Object.fromEntries(Object.entries(privileges(victim)).filter(([name]) => !(name in input)))

  const shapeOf = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, member]) => [name, shapeOf(member)])
      : typeof value

  it.each(operationNames.filter(hasBody))('change nothing for %s', async (name) => {
    const test = await createTestApp({ options: { rateLimits: 'off' } })
    const victim = await signInWithDevice(test)
    const plain = await anExample(test, name)
    const plainAnswer = await test.call(name, plain.input, plain.options)
    const laden = await anExample(test, name)
    const before = await stateOf(test, victim)
    const profile = await test.countersign.users.find({ email: laden.user.user.email })
    const answer = await test.call(name, { ...laden.input, ...beside(laden, victim) }, laden.options)
    expect(answer.status).toBe(operations[name].success)
    expect(shapeOf(answer.body)).toEqual(shapeOf(plainAnswer.body))
    expect(await stateOf(test, victim)).toEqual(before)
    // A lock shows in the profile of the caller, and nowhere else.
    const changed = name === 'account.lock' ? { ...profile, lockedAt: test.clock.now() } : profile
    expect(await test.countersign.users.find({ email: laden.user.user.email })).toEqual(changed)
    // Any returned tokens belong to the caller and have unchanged claims.
    const { data } = answer.body as { data: { accessToken?: string; tokens?: { accessToken: string } } }
    const token = data.accessToken ?? data.tokens?.accessToken
    if (token !== undefined) {
      expect(claimsOf(token)).toMatchObject({ id: laden.user.user.id, email: laden.user.user.email, permissions: [] })
    }
  })

  it('cannot raise the trust level of a password session', async () => {
    const test = await createTestApp()
    const example = await anExample(test, 'confirmations.verify')
    const input = { ...example.input, ...beside(example, example.user) }
    expect((await test.call('confirmations.verify', input, { token: example.user.token })).status).toBe(403)
  })

  it('cannot change the creator or initial state of a new project', async () => {
    const test = await createTestApp()
    const victim = await signInWithDevice(test)
    const example = await anExample(test, 'projects.create')
    const project = { creatorId: String(victim.user.id), uniqueCode: 'PRJ-1999-000001', progress: 'delivering', updatedAt: 0 }
    const input = { ...beside(example, victim), ...project, ...example.input }
    const { status, body } = await test.call('projects.create', input, example.options)
    expect(status).toBe(201)
    const { data } = body as Output<'projects.create'>
    expect(data).toMatchObject({
      uniqueCode: 'PRJ-2026-000001',
      status: 'pending',
      progress: 'technical_negotiating',
      creator: { id: String(example.user.user.id) },
    })
    expect(data.id).not.toBe(String(victim.user.id))
  })

  it('cannot replace the payload that is checked', async () => {
    const test = await createTestApp()
    const example = await anExample(test, 'confirmations.initiate')
    const { actionPayload, ...others } = { ...example.input, ...beside(example, example.user) } as Record<string, unknown>
    const made = await test.call('confirmations.initiate', { ...others, actionPayload }, example.options)
    const { confirmationId } = (made.body as { data: { confirmationId: string } }).data
    const read = await test.ask('confirmations.status', { confirmationId }, example.options)
    expect(read).toMatchObject({ status: 'pending', actionPayload: example.input.actionPayload })
    expect((await test.call('confirmations.initiate', others, example.options)).status).toBe(400)
  })
})
