import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { CountersignError, Invalid } from './errors.ts'

const caller = { userId: 1, email: 'ada@example.test', permissions: ['*.*'], sessionId: 'x', trustLevel: 'high', deviceId: 'x' }
const service = { name: 'billing', scopes: [] }
const email = 'ada@example.test'
const project = { uniqueCode: 'PRJ-2026-000001', caller: 'admin' }
const credential = { id: 'AA', rawId: 'AA', type: 'public-key', response: { clientDataJSON: 'AA', attestationObject: 'AA' } }
const uuid = '00000000-0000-4000-8000-000000000000'

/** The required fields of each use case. Every field is refused if it is missing or has another type. */
const needed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'auth.login': { email, password: 'x' },
  'auth.refresh': { refreshToken: 'x' },
  'auth.logout': { refreshToken: 'x', caller },
  'auth.sessionOfToken': { token: 'x' },
  'auth.authenticate': { token: 'x' },
  'events.open': { token: 'x', send: () => {}, end: () => {} },
  'auth.authenticateService': { token: 'x', serviceName: 'x' },
  'auth.introspect': { token: 'x', serviceName: 'x' },
  'users.create': { email },
  'users.count': {},
  'users.find': { email },
  'confirmations.listAll': {},
  'confirmations.show': { confirmationId: 'x' },
  'confirmations.countArchivable': { before: 0 },
  'confirmations.archive': { before: 0, write: async () => {} },
  'users.update': { email },
  'users.delete': { email },
  'users.export': { email },
  'users.disable': { email },
  'users.enable': { email },
  'users.setPassword': { email, password: 'correct horse battery staple' },
  'users.grant': { email, permissions: ['project.read'] },
  'users.revoke': { email, permissions: ['project.read'] },
  'users.lock': { email },
  'users.unlock': { email },
  'users.enrol': { email },
  'users.invite': { email },
  'users.resetPassword': { email },
  'users.import': { lines: [] },
  'users.sync': { directoryId: '7' },
  'users.delegate': { from: email, to: email, permission: 'payment.approve', until: 1 },
  'users.endDelegation': { from: email, to: email, permission: 'payment.approve' },
  'users.delegations': { email },
  'account.me': { caller },
  'account.lock': { caller },
  'password.change': { currentPassword: 'x', newPassword: 'correct horse battery staple', caller },
  'password.forgot': { email },
  'password.checkCode': { code: 'A'.repeat(26) },
  'password.setWithCode': { code: 'A'.repeat(26), newPassword: 'correct horse battery staple' },
  'sessions.open': { user: { id: 1 }, signedInAt: 1, method: 'x' },
  'sessions.openForService': { user: { id: 1 }, signedInAt: '2026-01-31T09:30:00Z', method: 'x', service },
  'sessions.endAll': { user: { id: 1 } },
  'sessions.list': { email },
  'sessions.listAll': {},
  'sessions.revoke': { id: uuid },
  'sessions.listOwn': { caller },
  'sessions.endOwn': { sessionId: uuid, caller },
  'sessions.endOthers': { caller },
  'devices.list': { caller },
  'devices.listOfUser': { email },
  'devices.listAll': {},
  'devices.remove': { deviceId: uuid, caller },
  'devices.revoke': { id: uuid },
  'devices.trust': { id: uuid },
  'devices.testPush': { email },
  'devices.setPushToken': { pushToken: 'x', caller },
  'devices.beginRegistration': {
    deviceName: 'Phone',
    deviceType: 'mobile',
    deviceFingerprint: 'x',
    publicKey: 'x',
    keyAlgorithm: 'ES256',
    caller,
  },
  'devices.finishRegistration': { sessionId: uuid, signedChallenge: 'x', caller },
  'mobile.beginLogin': { deviceFingerprint: 'x' },
  'mobile.finishLogin': { sessionId: uuid, signedChallenge: 'x' },
  'mobile.refresh': { refreshToken: 'x' },
  'passkeys.beginRegistration': { caller },
  'passkeys.finishRegistration': { challengeId: uuid, credential, caller },
  'passkeys.beginLogin': {},
  'passkeys.finishLogin': { challengeId: uuid, credential: {} },
  'passkeys.list': { caller },
  'passkeys.listOfUser': { email },
  'passkeys.rename': { credentialId: 'x', name: 'x', caller },
  'passkeys.remove': { credentialId: 'x', caller },
  'passkeys.revoke': { id: 'x' },
  'passkeys.trust': { id: 'x' },
  'vouching.read': { deviceId: uuid, caller },
  'vouching.readOfPasskey': { credentialId: 'x', caller },
  'vouching.restart': { deviceId: uuid, caller },
  'vouching.restartOfPasskey': { credentialId: 'x', caller },
  'confirmations.initiate': { actionType: 'password_change', actionPayload: { userId: 7 }, caller },
  'confirmations.pending': { caller },
  'confirmations.listOwn': { caller },
  'confirmations.status': { confirmationId: `conf_${uuid}`, caller },
  'confirmations.approve': { confirmationId: `conf_${uuid}`, deviceId: uuid, signedChallenge: 'x', caller },
  'confirmations.reject': { confirmationId: `conf_${uuid}`, caller },
  'confirmations.withdraw': { confirmationId: `conf_${uuid}`, caller },
  'actionTypes.register': { type: 'wire_transfer', version: '1.0.0', definitionText: '{}' },
  'actionTypes.ensure': { type: 'wire_transfer', version: '1.0.0', schema: {}, display: {} },
  'actionTypes.check': { type: 'wire_transfer', definitionText: '{}' },
  'actionTypes.show': { key: 'x' },
  'actionTypes.activate': { key: 'x' },
  'actionTypes.deactivate': { key: 'x' },
  'approvalRequests.start': { actionType: 'user_access', actionPayload: { userId: 7, permissions: ['x'] }, caller },
  'approvalRequests.listOwn': { caller },
  'approvalRequests.read': { approvalId: 'x', caller },
  'approvalRequests.readForService': { approvalId: 'x', service },
  'approvalRequests.withdraw': { approvalId: 'x', caller },
  'approvalRequests.stop': { approvalId: 'x', reason: 'Forged', caller },
  'approvalRequests.withdrawForService': { approvalId: 'x', service },
  'approvalRequests.redeem': {
    approvalId: 'x',
    actionType: 'user_access',
    actionPayload: { userId: 7, permissions: ['x'] },
    permission: 'user.approve',
    count: 2,
    service,
  },
  'actionPolicies.set': { actionType: 'user_access', permission: 'user.approve', count: 2 },
  'actionPolicies.show': { actionType: 'user_access' },
  'actionPolicies.test': { actionType: 'user_access', actionPayload: { userId: 7 } },
  'actionPolicies.dryRun': { actionType: 'user_access', permission: 'user.approve', count: 2 },
  'actionPolicies.remove': { actionType: 'user_access' },
  'receipts.ofUser': { confirmationId: 'x', caller },
  'receipts.export': { confirmationId: 'x' },
  'receipts.retireKey': { kid: 'x' },
  'receipts.revokeKey': { kid: 'x', reason: 'x' },
  'confirmations.consume': {
    confirmationId: `conf_${uuid}`,
    userId: 7,
    actionType: 'password_change',
    actionPayload: { userId: 7 },
    consumedBy: 'payment 4711',
  },
  'approvalRequests.consume': {
    requestId: 'x',
    actionType: 'password_change',
    actionPayload: { userId: 7 },
    policy: { permission: 'payment.approve', count: 2 },
    consumedBy: 'payment 4711',
  },
  'services.initiate': { userId: 7, actionType: 'user_access', actionPayload: { userId: 7, permissions: ['x'] }, service },
  'services.confirmation': { confirmationId: `conf_${uuid}`, service },
  'services.receipt': { confirmationId: `conf_${uuid}`, service },
  'services.withdraw': { confirmationId: `conf_${uuid}`, service },
  'services.redeem': {
    confirmationId: `conf_${uuid}`,
    userId: 7,
    actionType: 'user_access',
    actionPayload: { userId: 7, permissions: ['x'] },
    service,
  },
  'customers.create': { name: 'Ada', email },
  'projects.list': { caller: 'admin' },
  'projects.get': project,
  'projects.create': { name: 'Bridge', customerId: 'x', contractValue: 1, currency: 'EUR', caller },
  'projects.update': project,
  'projects.approve': project,
  'projects.setProgress': { ...project, progress: 'bidding' },
  'projects.remove': project,
  'productSchemas.ofType': { type: 'x' },
  'productSchemas.show': { key: 'x' },
  'productSchemas.check': { type: 'x', schemaText: '{}' },
  'productSchemas.register': { type: 'x', version: '1.0.0', schemaText: '{}' },
  'productSchemas.activate': { key: 'x' },
  'productSchemas.deactivate': { key: 'x' },
  'resources.count': project,
  'resources.import': { lines: [] },
  'expenses.sum': project,
  'expenses.import': { lines: [] },
  'serviceTokens.issue': { service: 'x' },
  'serviceTokens.revoke': { id: uuid },
  'rateLimits.take': { category: 'confirmation', subject: 'x' },
  'rateLimits.giveBack': { category: 'confirmation', subject: 'x', takenAt: 1 },
}

/** The optional fields of use cases without HTTP operation. */
const optional: typeof needed = {
  'sessions.open': { userVerified: true, rememberMe: true },
  'users.create': { password: 'x', name: 'x', employee: {}, department: {}, permissions: [] },
  'productSchemas.register': { title: 'x', active: true, allowBreaking: true },
  'users.import': { existing: 'skip', dryRun: true, onResult: () => {} },
  'confirmations.archive': { onProgress: () => {} },
  'resources.import': { onProgress: () => {} },
  'expenses.import': { onProgress: () => {} },
  'serviceTokens.issue': { scopes: [], ttlSeconds: 1 },
}

type UseCase = (input: unknown) => unknown

const { countersign } = await createTestCountersign()
const useCases: Readonly<Record<string, UseCase>> = Object.fromEntries(
  Object.entries<object>({ ...countersign }).flatMap(([noun, bound]) =>
    typeof bound === 'function' ? [] : Object.entries(bound).map(([verb, useCase]) => [`${noun}.${verb}`, useCase as UseCase]),
  ),
)

/** Returns the error or the result of a use case. */
const outcomeOf = async (name: string, input: unknown): Promise<unknown> => {
  try {
    return await useCases[name]?.(input)
  } catch (error) {
    return error
  }
}

const names = Object.keys(needed)

describe('every use case', () => {
  it('has its required fields in this test, if it takes an input', () => {
    expect(Object.keys(useCases).filter((name) => !names.includes(name))).toStrictEqual([
      'users.list',
      'serviceTokens.list',
      'rateLimits.has',
      'actionPolicies.list',
      'receipts.keys',
      'actionTypes.list',
      'events.end',
      'events.count',
      'customers.list',
      'productSchemas.list',
    ])
  })

  it.each(names)('%s refuses an input that is not an object', async (name) => {
    for (const input of [undefined, null, 'text', 7, true]) expect(await outcomeOf(name, input)).toBeInstanceOf(Invalid)
  })

  it.each(names)('%s refuses an input without a required field, and names the field', async (name) => {
    for (const member of Object.keys(needed[name] ?? {})) {
      const { [member]: _, ...rest } = needed[name] ?? {}
      expect(await outcomeOf(name, rest)).toMatchObject({
        kind: 'invalid',
        fields: { [member]: expect.stringMatching(/^must /) },
      })
    }
  })

  const texts = ['canary\0\n<script>', 'canary'.repeat(4000)]
  const bad = [null, 7.5, Number.NaN, true, Symbol('x'), [7], ['canary'], { canary: 'canary' }, () => 'canary', ...texts]
  it.each(names)('%s refuses fields of other types with a known error that does not show the value', async (name) => {
    const whole = { ...needed[name], ...optional[name] }
    for (const member of Object.keys(whole)) {
      for (const value of bad) {
        const outcome = await outcomeOf(name, { ...whole, [member]: value })
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CountersignError)
        if (outcome instanceof Error) expect(outcome.message).not.toContain('canary')
      }
      // The only field for which null is a value.
      const outcome = await outcomeOf(name, { ...whole, [member]: member === 'pushToken' ? 7 : null })
      expect(Object.keys((outcome as Invalid).fields).map((field) => field.replace(/[.[].*$/, ''))).toContain(member)
    }
  })

  it.each([
    ['auth.logout', { ...caller, sessionId: undefined }],
    ['passkeys.beginRegistration', { ...caller, email: undefined }],
    ['projects.create', { ...caller, permissions: undefined }],
    ['devices.list', { ...caller, userId: '1' }],
  ])('%s refuses a caller without the fields that it needs', async (name, caller) => {
    expect(await outcomeOf(name, { ...needed[name], caller })).toMatchObject({
      fields: { caller: 'must be the caller, as authenticate returns it' },
    })
  })

  it('of projects accepts an admin, or a caller with permissions', async () => {
    for (const other of ['root', 'Admin', { userId: 1 }, { permissions: [] }]) {
      expect(await outcomeOf('projects.list', { caller: other })).toMatchObject({
        fields: { caller: expect.stringContaining('admin') },
      })
    }
  })

  it.each(['users.import', 'resources.import', 'expenses.import'])(
    '%s refuses lines that cannot be iterated over',
    async (name) => {
      for (const line of [null, undefined, 'text', 7]) {
        expect(await outcomeOf(name, { lines: [line] })).toMatchObject({
          fields: { lines: 'must be objects with line and value' },
        })
      }
    },
  )

  it('with a payload text refuses a text of another type', async () => {
    const given = { ...needed['confirmations.initiate'], actionPayloadText: null }
    expect(await outcomeOf('confirmations.initiate', given)).toMatchObject({ fields: { actionPayloadText: 'must be text' } })
  })

  it('of rate limits refuses an unknown category, which would have no limit', async () => {
    expect(await outcomeOf('rateLimits.take', { category: 'confirmations', subject: 'x' })).toBeInstanceOf(Invalid)
    expect(await outcomeOf('rateLimits.has', 'confirmations')).toBeInstanceOf(Invalid)
  })

  it('with a list of texts names the item that is not a text', async () => {
    expect(await outcomeOf('users.create', { email, permissions: ['a.b', 7] })).toMatchObject({
      fields: { 'permissions[1]': 'must be text' },
    })
    expect(await outcomeOf('users.create', { email, permissions: 'project.read' })).toMatchObject({
      fields: { permissions: 'must be a list of texts' },
    })
    expect(await outcomeOf('users.create', { email, employee: { id: 7 } })).toMatchObject({
      fields: { 'employee.id': 'must be text' },
    })
  })
})
