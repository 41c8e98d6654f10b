import type { OperationName } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { claimsOf } from '../src/testing/claims-of.ts'
import { anExample, operationNames, operationOf } from '../src/testing/examples.ts'
import { openBeforeAll } from '../src/testing/open-before-all.ts'
import { type DeviceUser, deviceLogin, registerDevice } from '../src/testing/sign-in.ts'
import type { TestApp } from '../src/testing/test-app.ts'
import { openSqlite } from '../src/testing/test-storages.ts'

/**
 * The status for a session that is bound to a customer, of each operation of users: with the input of another session of the same
 * user, which is not bound. A new operation needs a line here. An answer 200 names nothing of the other session.
 */
const statuses: Readonly<Partial<Record<OperationName, number>>> = {
  'auth.logout': 200,
  'password.change': 403,
  'account.me': 200,
  'account.lock': 403,
  'sessions.list': 200,
  'sessions.end': 404,
  'sessions.endOthers': 200,
  'devices.list': 200,
  'devices.remove': 404,
  'devices.vouch': 404,
  'devices.vouching': 404,
  'devices.setPushToken': 404,
  'devices.beginRegistration': 200,
  'devices.finishRegistration': 200,
  'passkeys.beginRegistration': 200,
  'passkeys.finishRegistration': 200,
  'passkeys.list': 200,
  'passkeys.rename': 404,
  'passkeys.remove': 404,
  'passkeys.vouch': 404,
  'passkeys.vouching': 404,
  'confirmations.initiate': 403,
  'confirmations.pending': 200,
  'confirmations.list': 200,
  'confirmations.status': 404,
  // The device of the input is not the device of the session.
  'confirmations.verify': 403,
  'confirmations.receipt': 404,
  'confirmations.reject': 404,
  'confirmations.withdraw': 404,
  'approvals.start': 403,
  'approvals.list': 200,
  'approvals.read': 404,
  'approvals.withdraw': 404,
  'approvals.stop': 404,
  'events.stream': 200,
  'projects.list': 403,
  'projects.get': 403,
  'projects.create': 403,
  'projects.update': 403,
  'projects.approve': 403,
  'projects.setProgress': 403,
  'projects.remove': 403,
  'projects.countResources': 403,
  'projects.sumExpenses': 403,
  'productSchemas.list': 200,
  'productSchemas.ofType': 200,
}

describe('a session that is bound to the tenant acme', () => {
  let test: TestApp
  openBeforeAll(openSqlite, (app) => {
    test = app
  })

  /** Logs the user in by a trusted device that a service of acme brought. */
  const bindTo = async ({ user }: DeviceUser) => {
    const { countersign, clock, storage } = test
    await countersign.users.grant({ email: user.email, permissions: ['tenant.member@acme'] })
    const { token } = await countersign.serviceTokens.issue({ service: 'shop', scopes: ['session.open'], within: ['acme'] })
    const service = await countersign.auth.authenticateService({ token, serviceName: 'shop' })
    const signedInAt = new Date(clock.now()).toISOString()
    const tokens = await countersign.sessions.openForService({ service, user: { id: user.id }, signedInAt, method: 'oidc' })
    const registered = await registerDevice(test, tokens.accessToken)
    expect(await storage.trust.makeTrusted({ userId: user.id, kind: 'device', id: registered.device.id }, clock.now())).toBe(true)
    return (await deviceLogin(test, registered)).accessToken
  }

  const everythingOf = async ({ user }: DeviceUser) => ({
    sessions: (await test.storage.sessions.ofUser(user.id, test.clock.now())).filter(({ tenants }) => tenants === null),
    devices: (await test.storage.devices.allOfUser(user.id)).filter(({ tenants }) => tenants === null),
    passkeys: (await test.storage.passkeys.allOfUser(user.id)).filter(({ tenants }) => tenants === null),
    confirmations: (await test.storage.confirmations.allOfUser(user.id)).filter(({ boundTo }) => boundTo === null),
    requests: await test.storage.approvalRequests.allOfRequester(user.id),
    user: await test.storage.users.byId(user.id),
  })

  it('is tested with every operation of users', () => {
    const ofUsers = operationNames.filter((name) => operationOf(name).authentication === 'user')
    expect(Object.keys(statuses).sort()).toStrictEqual([...ofUsers].sort())
  })

  it.each(Object.entries(statuses) as [OperationName, number][])(
    'gets from %s the answer %i, sees nothing of a session that is not bound, and changes nothing there',
    async (name, status) => {
      const { user, input } = await anExample(test, name)
      const token = await bindTo(user)
      const before = await everythingOf(user)
      const answer = await test.call(name, input, { token })
      expect(answer.status, answer.text).toBe(status)
      const { sessions, devices, passkeys, confirmations, requests } = before
      const hidden = [...sessions, ...devices, ...passkeys, ...confirmations, ...requests].map(({ id }) => id)
      expect(hidden.length).toBeGreaterThan(2)
      expect(hidden).toContain(claimsOf(user.token).session_id)
      for (const id of hidden) expect(answer.text).not.toContain(id)
      expect(await everythingOf(user)).toStrictEqual(before)
    },
  )
})
