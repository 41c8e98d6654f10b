import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  aPayment,
  approvePayment,
  type DeviceUser,
  paymentScopes,
  serviceToken,
  signInWithDevice,
} from '../../testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const MINUTE = 60_000

let test: TestApp
let user: DeviceUser
let token: string
beforeEach(async () => {
  test = await createTestApp()
  user = await signInWithDevice(test)
  token = await serviceToken(test)
})

const asService = (name: string) => ({ 'X-Service-Name': name })
const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  (body as { readonly code?: string }).code,
]

const initiated = (changes: Readonly<Record<string, unknown>> = {}) => ({
  userId: user.user.id,
  actionType: 'payment_approval' as const,
  actionPayload: aPayment,
  ...changes,
})

/** Lists the pending confirmations and approves one, as the user's device does. */
const approve = async (confirmationId: string, matchNumber?: string) => {
  const { confirmations } = await test.ask('confirmations.pending', {}, { token: user.deviceToken })
  const challenge = confirmations.find((pending) => pending.confirmationId === confirmationId)?.challenge ?? ''
  const approval = { confirmationId, deviceId: user.device.id, signedChallenge: user.signer.sign(challenge) }
  await test.ask(
    'confirmations.verify',
    { ...approval, ...(matchNumber !== undefined && { matchNumber }) },
    { token: user.deviceToken },
  )
}

/** Initiates a payment as `billing`, and approves it. */
const approvedForService = async (): Promise<string> => {
  const { confirmationId } = await test.ask('services.initiate', initiated(), { token })
  await approve(confirmationId)
  return confirmationId
}

const redeem = (confirmationId: string, changes: Readonly<Record<string, unknown>> = {}, options: object = {}) =>
  test.call('services.redeem', { confirmationId, ...initiated(), ...changes }, { token, ...options })

describe('the endpoints of services, with a token that is bound to tenants', () => {
  it('answer 403 to asking in other tenants, and 404 to reading there', async () => {
    const { token: bound } = await test.countersign.serviceTokens.issue({
      service: 'billing',
      scopes: paymentScopes,
      within: ['acme'],
    })
    await test.countersign.users.grant({ email: user.user.email, permissions: ['tenant.member@acme'] })
    const initiate = (tenant: string | undefined, presented = bound, userId = user.user.id) =>
      test.call('services.initiate', initiated({ tenant, userId }), { token: presented })
    for (const tenant of [undefined, 'other']) {
      expect(codeOf(await initiate(tenant))).toEqual([403, 'forbidden'])
      expect(codeOf(await initiate(tenant, bound, 999_999))).toEqual([403, 'forbidden'])
    }
    const asked = async (tenant: string | undefined, presented: string) => {
      const { confirmationId } = ((await initiate(tenant, presented)).body as { data: { confirmationId: string } }).data
      await approve(confirmationId)
      return confirmationId
    }
    const inside = await asked('acme', bound)
    for (const outside of [await asked('other', token), await asked(undefined, token)]) {
      const answers = [
        await test.call('services.confirmation', { confirmationId: outside }, { token: bound }),
        await test.call('services.receipt', { confirmationId: outside }, { token: bound }),
        await redeem(outside, {}, { token: bound }),
        await redeem(outside, { tenant: 'other' }, { token: bound }),
      ]
      for (const answer of answers) expect(codeOf(answer)).toEqual([404, 'confirmation_not_found'])
      expect((await test.call('services.confirmation', { confirmationId: outside }, { token })).status).toBe(200)
    }
    expect(await test.ask('services.confirmation', { confirmationId: inside }, { token: bound })).toMatchObject({
      status: 'approved',
    })
    expect(codeOf(await redeem(inside, { tenant: 'other' }, { token: bound }))).toEqual([409, 'other_action'])
    expect(codeOf(await redeem(inside, {}, { token: bound }))).toEqual([409, 'other_action'])
    expect((await redeem(inside, { tenant: 'acme' }, { token: bound })).status).toBe(200)
  })
})

describe('POST /internal/confirmations', () => {
  it('asks the user, whose devices are notified', async () => {
    await test.ask('devices.setPushToken', { deviceId: user.device.id, pushToken: 'a-phone' }, { token: user.token })
    const answer = await test.ask('services.initiate', initiated(), { token })
    await test.background.drain()
    expect(test.push.sent).toMatchObject([{ type: 'confirmation.requested', confirmationId: answer.confirmationId }])
    expect(answer).toStrictEqual({
      confirmationId: expect.stringMatching(/^conf_/),
      expiresAt: new Date(test.clock.now() + 5 * MINUTE).toISOString(),
      matchNumber: null,
    })
    const { confirmations } = await test.ask('confirmations.pending', {}, { token: user.deviceToken })
    expect(confirmations).toMatchObject([
      { confirmationId: answer.confirmationId, actionPayload: aPayment, numberMatching: false },
    ])
    await approve(answer.confirmationId)
  })

  it('returns the number of a confirmation with number matching', async () => {
    const { confirmationId, matchNumber } = await test.ask('services.initiate', initiated({ numberMatching: true }), { token })
    expect(matchNumber).toMatch(/^\d\d$/)
    await approve(confirmationId, String(matchNumber))
  })

  it('keeps the payload byte for byte', async () => {
    const text = '{"recipient":"ACME", "2":1,"1":2,"amount":1.50,"currency":"EUR"}'
    const body = `{"userId":${user.user.id},"actionType":"payment_approval","actionPayload":${text}}`
    const headers = { ...asService('billing'), 'content-type': 'application/json' }
    expect((await test.send('POST', '/internal/confirmations', { token, headers, body })).status).toBe(200)
    const pending = await test.call('confirmations.pending', {}, { token: user.deviceToken })
    expect(pending.text).toContain(`"actionPayload":${text}`)
  })

  it('gives the same error for an unknown user and for a user who cannot log in', async () => {
    const answers = [await test.call('services.initiate', initiated({ userId: 999_999 }), { token })]
    await test.countersign.users.disable({ email: user.user.email })
    answers.push(await test.call('services.initiate', initiated(), { token }))
    await test.countersign.users.enable({ email: user.user.email })
    await test.countersign.users.lock({ email: user.user.email })
    answers.push(await test.call('services.initiate', initiated(), { token }))
    for (const answer of answers) expect(codeOf(answer)).toEqual([404, 'user_not_found'])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  it.each([
    ['device_register', { deviceName: 'Phone', deviceType: 'mobile' }],
    ['password_change', { userId: 7 }],
  ])('refuses the type %s, whatever the scopes', async (actionType, actionPayload) => {
    const scoped = await serviceToken(test, { scopes: [`confirmation.initiate:${actionType}`] })
    const answer = await test.call('services.initiate', initiated({ actionType, actionPayload }), { token: scoped })
    expect(codeOf(answer)).toEqual([400, 'invalid_input'])
  })

  it('allows five pending for a user and service, in addition to the confirmations of the user and of other services', async () => {
    for (let count = 0; count < 5; count += 1) await test.ask('services.initiate', initiated(), { token })
    expect(codeOf(await test.call('services.initiate', initiated(), { token }))).toEqual([429, 'too_many_pending_confirmations'])
    const shipping = { token: await serviceToken(test, { service: 'shipping' }), headers: asService('shipping') }
    expect((await test.call('services.initiate', initiated(), shipping)).status).toBe(200)
    await approvePayment(test, user)
    const other = await signInWithDevice(test)
    await test.ask('services.initiate', initiated({ userId: other.user.id }), { token })
  })
})

describe('the routes for services', () => {
  const calls = async (confirmationId: string) => [
    ['services.initiate', initiated()] as const,
    ['services.confirmation', { confirmationId }] as const,
    ['services.receipt', { confirmationId }] as const,
    ['services.redeem', { confirmationId, ...initiated() }] as const,
  ]

  it('refuse every token of a user, and the token of another service', async () => {
    const confirmationId = await approvePayment(test, user)
    const shipping = await serviceToken(test, { service: 'shipping' })
    for (const [name, input] of await calls(confirmationId)) {
      for (const presented of [user.token, user.deviceToken, user.tokens.refreshToken, shipping, 'a.b.c']) {
        const answer = await test.call(name, input, { token: presented })
        expect(codeOf(answer), name).toEqual([401, 'invalid_access_token'])
      }
      expect(codeOf(await test.call(name, input)), name).toEqual([401, 'unauthenticated'])
    }
    expect((await redeem(confirmationId)).status).toBe(200)
  })

  it('refuse numbers with more digits than a double holds, because they would equal the approved ones', async () => {
    const path = `/internal/confirmations/${await approvedForService()}/redeem`
    const headers = { 'content-type': 'application/json', ...asService('billing') }
    for (const member of ['"actionPayload":{"amount":12.500000000000000001}', `"userId":${user.user.id}.00000000000000000001`]) {
      const { status, text } = await test.send('POST', path, { token, headers, body: `{${member}}` })
      expect([status, text]).toEqual([400, expect.stringContaining('must be a number that a double holds with all its digits')])
    }
  })

  it('need the name of the service, in any case', async () => {
    const confirmationId = await approvePayment(test, user)
    for (const [name, input] of await calls(confirmationId)) {
      for (const given of ['', 'Bad,Name', ' ', 'x'.repeat(65)]) {
        const answer = await test.call(name, input, { token, headers: asService(given) })
        expect(codeOf(answer), name).toEqual([400, 'invalid_input'])
        expect(answer.text).toContain('X-Service-Name')
      }
      expect((await test.call(name, input, { token, headers: asService('BILLING') })).status, name).toBe(200)
    }
  })

  it('refuse wildcard scopes, and scopes without a type', async () => {
    const confirmationId = await approvePayment(test, user)
    const wide = await serviceToken(test, {
      scopes: [
        '*',
        '*.*',
        'confirmation.*',
        ...['read', 'redeem', 'initiate'].flatMap((verb) => [`confirmation.${verb}:*`, `confirmation.${verb}`]),
      ],
    })
    for (const [name, input] of await calls(confirmationId)) {
      expect(codeOf(await test.call(name, input, { token: wide })), name).toEqual([403, 'missing_scope'])
    }
  })

  it('answer 404 for a confirmation of another service, or of a type for which the token has no scope', async () => {
    const own = await approvedForService()
    const shipping = { token: await serviceToken(test, { service: 'shipping' }), headers: asService('shipping') }
    const orders = await serviceToken(test, {
      scopes: ['confirmation.read:purchase_order', 'confirmation.redeem:purchase_order'],
    })
    const unknown = 'conf_00000000-0000-4000-8000-000000000000'
    const answers = [
      await test.call('services.confirmation', { confirmationId: own }, shipping),
      await test.call('services.receipt', { confirmationId: own }, shipping),
      await redeem(own, {}, shipping),
      await test.call('services.confirmation', { confirmationId: own }, { token: orders }),
      await test.call('services.receipt', { confirmationId: own }, { token: orders }),
      await redeem(own, { actionType: 'purchase_order' }, { token: orders }),
      await test.call('services.confirmation', { confirmationId: unknown }, { token }),
      await redeem(unknown),
      await redeem(own, { userId: user.user.id + 1 }),
    ]
    for (const answer of answers) expect(codeOf(answer)).toEqual([404, 'confirmation_not_found'])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await redeem(own)).status).toBe(200)
  })
})

describe('GET /internal/confirmations/{confirmationId}', () => {
  it('shows the status, the time of approval and the time of use', async () => {
    const { confirmationId } = await test.ask('services.initiate', initiated(), { token })
    const shown = { confirmationId, userId: user.user.id, actionType: 'payment_approval', actionPayload: aPayment }
    const none = { approvedAt: null, consumedAt: null, voidedAt: null }
    expect(await test.ask('services.confirmation', { confirmationId }, { token })).toMatchObject({
      ...shown,
      ...none,
      status: 'pending',
    })
    test.clock.advance(1000)
    await approve(confirmationId)
    const approvedAt = new Date(test.clock.now()).toISOString()
    const approved = { ...shown, status: 'approved', approvedAt, consumedAt: null }
    expect(await test.ask('services.confirmation', { confirmationId }, { token })).toMatchObject(approved)
    test.clock.advance(1000)
    await redeem(confirmationId)
    const consumedAt = new Date(test.clock.now()).toISOString()
    expect(await test.ask('services.confirmation', { confirmationId }, { token })).toMatchObject({ ...approved, consumedAt })
  })

  it('shows an approval that the lock of the account voided', async () => {
    const confirmationId = await approvedForService()
    await test.countersign.users.lock({ email: user.user.email })
    const voidedAt = new Date(test.clock.now()).toISOString()
    const answer = await test.ask('services.confirmation', { confirmationId }, { token })
    expect(answer).toMatchObject({ status: 'approved', consumedAt: null, voidedAt })
    expect(codeOf(await redeem(confirmationId))).toEqual([409, 'confirmation_not_approved'])
  })

  it('waits for the decision', async () => {
    const { confirmationId } = await test.ask('services.initiate', initiated(), { token })
    const waiting = test.ask('services.confirmation', { confirmationId, wait: '20' }, { token })
    expect(await Promise.race([waiting, setTimeout(300, 'waits')])).toBe('waits')
    await approve(confirmationId)
    expect(await waiting).toMatchObject({ status: 'approved' })
  })

  it('answers with the current state when the time is over', async () => {
    const { confirmationId } = await test.ask('services.initiate', initiated(), { token })
    const startedAt = performance.now()
    expect(await test.ask('services.confirmation', { confirmationId, wait: '1' }, { token })).toMatchObject({ status: 'pending' })
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990)
  })

  it('ends a wait with 401 when the token is revoked', async () => {
    const { confirmationId } = await test.ask('services.initiate', initiated(), { token })
    const issued = await test.countersign.serviceTokens.issue({ service: 'billing', scopes: paymentScopes })
    const waiting = test.call('services.confirmation', { confirmationId, wait: '20' }, { token: issued.token })
    await setTimeout(100)
    await test.countersign.serviceTokens.revoke({ id: issued.id })
    expect(codeOf(await waiting)).toEqual([401, 'invalid_access_token'])
  })

  it.each(['-1', '31', '1.5', 'x'])('refuses the wait %j', async (wait) => {
    const { confirmationId } = await test.ask('services.initiate', initiated(), { token })
    expect((await test.call('services.confirmation', { confirmationId, wait }, { token })).status).toBe(400)
  })
})

describe('GET /internal/confirmations/{confirmationId}/receipt', () => {
  it('returns the receipt of an approved confirmation, without using the approval', async () => {
    const confirmationId = await approvedForService()
    const { receipt } = await test.ask('services.receipt', { confirmationId }, { token })
    const [, payload = ''] = receipt.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ jti: confirmationId })
    expect((await redeem(confirmationId)).status).toBe(200)
  })

  it('is not found while nobody has approved', async () => {
    const { confirmationId } = await test.ask('services.initiate', initiated(), { token })
    expect(codeOf(await test.call('services.receipt', { confirmationId }, { token }))).toEqual([404, 'confirmation_not_found'])
  })
})

describe('POST /internal/confirmations/{confirmationId}/redeem', () => {
  it('returns the receipt, and succeeds once', async () => {
    const confirmationId = await approvedForService()
    const { status, body } = await redeem(confirmationId)
    const consumedAt = new Date(test.clock.now()).toISOString()
    expect([status, body]).toEqual([200, { data: { receipt: expect.stringMatching(/~$/), confirmationId, consumedAt } }])
    expect(codeOf(await redeem(confirmationId))).toEqual([410, 'confirmation_consumed'])
  })

  it('is possible once, for any service with the scope, if the user initiated the confirmation', async () => {
    const confirmationId = await approvePayment(test, user)
    const shipping = { token: await serviceToken(test, { service: 'shipping' }), headers: asService('shipping') }
    expect((await redeem(confirmationId, {}, shipping)).status).toBe(200)
    expect(codeOf(await redeem(confirmationId))).toEqual([410, 'confirmation_consumed'])
  })

  it('returns exactly the same response for the same idempotency key and the same service', async () => {
    const confirmationId = await approvePayment(test, user)
    const first = await redeem(confirmationId, { idempotencyKey: 'transfer-1' })
    test.clock.advance(60 * MINUTE)
    const again = await redeem(confirmationId, { idempotencyKey: 'transfer-1' })
    expect([again.status, again.text]).toEqual([200, first.text])
    const others = [
      await redeem(confirmationId, { idempotencyKey: 'transfer-2' }),
      await redeem(confirmationId),
      await redeem(
        confirmationId,
        { idempotencyKey: 'transfer-1' },
        { token: await serviceToken(test, { service: 'shipping' }), headers: asService('shipping') },
      ),
    ]
    for (const answer of others) expect(codeOf(answer)).toEqual([410, 'confirmation_consumed'])
    const changed = { idempotencyKey: 'transfer-1', actionPayload: { ...aPayment, amount: 1 } }
    expect(codeOf(await redeem(confirmationId, changed))).toEqual([409, 'other_action'])
  })

  it('succeeds for one of many concurrent calls with different keys, and for all calls with the same key', async () => {
    const first = await approvePayment(test, user)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => redeem(first, { idempotencyKey: `key-${at}` })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(49)
    const second = await approvePayment(test, user)
    const same = await Promise.all(Array.from({ length: 50 }, () => redeem(second, { idempotencyKey: 'key' })))
    expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(same[0]?.status).toBe(200)
  })

  it('uses nothing if no receipt can be made', async () => {
    const [{ kid } = { kid: '' }] = await test.countersign.receipts.keys()
    const confirmationId = await approvePayment(test, user)
    await test.countersign.receipts.revokeKey({ kid, reason: 'stolen' })
    test.clock.advance(1000)
    expect(codeOf(await redeem(confirmationId))).toEqual([503, 'receipts_unavailable'])
    const { storage, clock, jwtKeys, encryptionKeys } = test
    test = await createTestApp({ storage, clock, jwtKeys, encryptionKeys })
    expect((await redeem(confirmationId)).status).toBe(200)
  })
})

describe('a server without keys for receipts', () => {
  it('refuses to redeem before anything is used', async () => {
    const without = await createTestApp({ receipts: undefined })
    user = await signInWithDevice(without)
    const confirmationId = await approvePayment(without, user)
    const presented = { token: await serviceToken(without) }
    const refused = await without.call('services.redeem', { confirmationId, ...initiated() }, presented)
    expect(codeOf(refused)).toEqual([503, 'receipts_not_configured'])
    expect(await without.storage.confirmations.byId(confirmationId)).toMatchObject({ consumedAt: null })
  })
})

describe('the rate limit of the category internal', () => {
  it('counts the requests of each service by its name', async () => {
    test = await createTestApp({
      options: { rateLimits: { internal: { burst: 2, refillMs: 60_000, windowMax: 100, windowMs: 60_000 } } },
    })
    user = await signInWithDevice(test)
    token = await serviceToken(test)
    const another = await serviceToken(test)
    for (const each of [token, another]) await test.ask('services.initiate', initiated(), { token: each })
    expect((await test.call('services.initiate', initiated(), { token })).status).toBe(429)
    const shipping = { token: await serviceToken(test, { service: 'shipping' }), headers: asService('shipping') }
    expect((await test.call('services.initiate', initiated(), shipping)).status).toBe(200)
  })
})
