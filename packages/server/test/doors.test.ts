import type { OperationName } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { anExample, operationNames, operationOf } from '../src/testing/examples.ts'
import { openBeforeAll } from '../src/testing/open-before-all.ts'
import { deviceLogin, paymentScopes, registerDevice, signInWithDevice } from '../src/testing/sign-in.ts'
import type { TestApp } from '../src/testing/test-app.ts'
import { openSqlite } from '../src/testing/test-storages.ts'

/** The statuses of an operation, one for each kind of caller. */
type Doors = Readonly<Partial<Record<OperationName, readonly number[]>>>

let test: TestApp
openBeforeAll(openSqlite, (app) => {
  test = app
})

const operationsOf = (authentication: 'user' | 'service') =>
  operationNames.filter((name) => operationOf(name).authentication === authentication).sort()

/** Returns a row for each operation and kind of caller. */
const rowsOf = <C extends string>(doors: Doors, callers: readonly C[]) =>
  (Object.keys(doors) as OperationName[]).flatMap((name) =>
    callers.map((caller, at) => ({
      name,
      caller,
      status: doors[name]?.[at] ?? expect.fail(`${name} has a status for ${caller}`),
    })),
  )

/** Sends the example of an operation as another caller. What is refused must have changed nothing: the own caller then succeeds. */
const expectDoor = async (
  name: OperationName,
  status: number,
  send: Awaited<ReturnType<typeof anExample>>,
  token: string,
  headers = {},
) => {
  const answer = await test.call(name, send.input, { token, headers })
  expect(answer.status, answer.text).toBe(status)
  if (status >= 400) expect((await test.call(name, send.input, send.options)).status).toBe(operationOf(name).success)
}

describe('an operation of services', () => {
  const all = [...paymentScopes, 'session.open']
  /** The examples are calls of `billing`. */
  const services = {
    'a service without its scope': { service: 'billing', scopes: ['report.read'] },
    'a service with the scope of another type': {
      service: 'billing',
      scopes: paymentScopes.map((scope) => scope.replace('payment_approval', 'purchase_order')),
    },
    'a service of another tenant': { service: 'billing', scopes: all, within: ['other'] },
    'another service with all scopes': { service: 'shipping', scopes: all },
  }
  /** A new operation needs a line here. */
  const doors: Doors = {
    'sessions.open': [403, 403, 404, 200],
    'services.initiate': [403, 403, 403, 200],
    'services.confirmation': [403, 404, 404, 200],
    'services.receipt': [403, 404, 404, 200],
    'services.redeem': [403, 403, 404, 200],
    'services.withdraw': [403, 404, 404, 404],
    'services.approval': [403, 404, 404, 200],
    'services.redeemApproval': [403, 403, 404, 200],
    'services.withdrawApproval': [403, 404, 404, 200],
  }

  it('has a line in the table', () => {
    expect(Object.keys(doors).sort()).toStrictEqual(operationsOf('service'))
  })

  it.each(rowsOf(doors, Object.keys(services) as (keyof typeof services)[]))(
    '$name answers $status to $caller, and a refusal changes nothing',
    async ({ name, caller, status }) => {
      const { token } = await test.countersign.serviceTokens.issue(services[caller])
      await expectDoor(name, status, await anExample(test, name), token, { 'X-Service-Name': services[caller].service })
    },
  )
})

describe('an operation of users', () => {
  const callers = ['another user without permissions', 'a device on probation of the same user'] as const
  /** A new operation needs a line here. Answers with 200 to another user are about that user. */
  const doors: Doors = {
    'auth.logout': [200, 200],
    'password.change': [200, 200],
    'account.me': [200, 200],
    'account.lock': [200, 403],
    'sessions.list': [200, 200],
    'sessions.end': [404, 200],
    'sessions.endOthers': [200, 200],
    'devices.list': [200, 200],
    'devices.remove': [404, 200],
    'devices.setPushToken': [404, 200],
    'devices.beginRegistration': [200, 200],
    'devices.finishRegistration': [404, 200],
    'passkeys.beginRegistration': [200, 200],
    'passkeys.finishRegistration': [404, 200],
    'passkeys.list': [200, 200],
    'passkeys.rename': [404, 200],
    'passkeys.remove': [404, 200],
    'confirmations.initiate': [200, 200],
    'confirmations.pending': [200, 403],
    'confirmations.list': [200, 403],
    'confirmations.status': [404, 200],
    'confirmations.verify': [403, 403],
    'devices.vouch': [404, 403],
    'passkeys.vouch': [404, 403],
    'devices.vouching': [404, 404],
    'passkeys.vouching': [404, 404],
    'confirmations.receipt': [404, 200],
    'confirmations.reject': [404, 200],
    'confirmations.withdraw': [404, 200],
    'events.stream': [200, 200],
    'approvals.start': [200, 200],
    'approvals.list': [200, 403],
    'approvals.read': [404, 200],
    'approvals.withdraw': [404, 200],
    'approvals.stop': [404, 404],
    'projects.list': [403, 200],
    'projects.get': [403, 200],
    'projects.create': [403, 201],
    'projects.update': [403, 200],
    'projects.approve': [403, 200],
    'projects.setProgress': [403, 200],
    'projects.remove': [403, 204],
    'projects.countResources': [403, 200],
    'projects.sumExpenses': [403, 200],
    'productSchemas.list': [200, 200],
    'productSchemas.ofType': [200, 200],
  }

  it('has a line in the table', () => {
    expect(Object.keys(doors).sort()).toStrictEqual(operationsOf('user'))
  })

  /** Returns a user whose session is no longer fresh, with the token of a device that this session registered. */
  const withProbation = async () => {
    const user = await signInWithDevice(test)
    test.clock.advance(11 * 60_000)
    return { user, token: (await deviceLogin(test, await registerDevice(test, user.token))).accessToken }
  }
  const withOther = async () => ({ user: await signInWithDevice(test), token: (await signInWithDevice(test)).deviceToken })

  it.each(rowsOf(doors, callers))(
    '$name answers $status to $caller, and a refusal changes nothing',
    async ({ name, caller, status }) => {
      const { user, token } = await (caller === callers[0] ? withOther() : withProbation())
      await expectDoor(name, status, await anExample(test, name, user), token)
    },
  )
})
