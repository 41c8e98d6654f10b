import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { NothingToChange } from '../shared/errors.ts'
import { approve } from '../testing/approve-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../testing/sign-in.ts'
import { ConfirmationRequired, type RequiredAction } from './doors/errors.ts'
import type { Gates } from './gate-options.ts'
import { ActionMismatch, ConfirmationConsumed } from './use/errors.ts'

describe('the option `gates`', () => {
  it.each([
    [
      { 'project.archive': { actionType: 'document_approval' } },
      'gates must be an object of some of project.approve, project.delete, user.grant',
    ],
    [
      { 'user.grant': { actionType: 'payment_approval' } },
      /^gates.*user\.grant.*actionType must be one of user_access, settings_change$/,
    ],
    [{ 'project.approve': 'document_approval' }, /^gates.*project\.approve.* must be an object with an actionType$/],
    [{ 'project.approve': { actionType: 'document_approval', count: 0 } }, /^gates.*project\.approve/],
  ])('refuses %j', async (gates, message) => {
    await expect(createTestCountersign({ options: { gates: gates as Gates } })).rejects.toThrow(RangeError)
    await expect(createTestCountersign({ options: { gates: gates as Gates } })).rejects.toThrow(message)
  })
})

describe('the gate `user.grant`', () => {
  const given = async () => {
    const test = await createTestCountersign({ options: { gates: { 'user.grant': { actionType: 'user_access' } } } })
    const admin = await signInNewDeviceUser(test)
    const { id, email } = await test.countersign.users.create({ email: 'bob@example.test' })
    const permissions = ['project.read', 'project.update']
    const grant = (more: object = {}) => test.countersign.users.grant({ email, permissions, caller: admin.web.caller, ...more })
    const permissionsOf = async () => (await test.countersign.users.find({ email })).permissions
    return { test, admin, id, email, permissions, grant, permissionsOf }
  }

  const requiredBy = async (work: Promise<unknown>): Promise<RequiredAction> => {
    const error: unknown = await work.catch((thrown: unknown) => thrown)
    if (!(error instanceof ConfirmationRequired)) throw new Error('the gate is open')
    return error.details
  }

  const approved = async (test: TestCountersign, user: DeviceUser, action: RequiredAction): Promise<string> => {
    const initiated = await test.countersign.confirmations.initiate({ caller: user.web.caller, ...action })
    await approve(test, user, initiated)
    return initiated.id
  }

  it('refuses a grant without an approval, and shows the earlier permissions and the version of the user', async () => {
    const { grant, id, email, permissions, permissionsOf } = await given()
    const payload = { userId: id, permissions, operation: 'user.grant', email, oldPermissions: [], version: 1 }
    for (const more of [{}, { caller: undefined }, { caller: undefined, confirmationId: 'conf_x' }]) {
      expect(await requiredBy(grant(more))).toStrictEqual({
        actionType: 'user_access',
        actionPayload: payload,
        operation: 'user.grant',
        tenant: null,
        policy: null,
      })
    }
    expect(await permissionsOf()).toStrictEqual([])
  })

  it('lets an approved grant pass once', async () => {
    const { test, admin, grant, email, permissions, permissionsOf } = await given()
    const confirmationId = await approved(test, admin, await requiredBy(grant()))
    await grant({ confirmationId })
    expect(await permissionsOf()).toStrictEqual(permissions)
    await expect(grant()).rejects.toBeInstanceOf(NothingToChange)
    await test.countersign.users.revoke({ email, permissions })
    await expect(grant({ confirmationId })).rejects.toStrictEqual(new ConfirmationConsumed())
  })

  it('refuses an approval of other permissions, or of an earlier version of the user', async () => {
    const { test, admin, grant, email, permissionsOf } = await given()
    const confirmationId = await approved(test, admin, await requiredBy(grant()))
    await expect(grant({ confirmationId, permissions: ['*.*'] })).rejects.toStrictEqual(new ActionMismatch())
    await test.countersign.users.disable({ email })
    await expect(grant({ confirmationId })).rejects.toStrictEqual(new ActionMismatch())
    expect(await permissionsOf()).toStrictEqual([])
  })

  it('refuses to create a user with permissions without an approval', async () => {
    const { test, admin } = await given()
    const create = (confirmationId?: string) =>
      test.countersign.users.create({ email: 'Eve@example.test', permissions: ['*.*'], caller: admin.web.caller, confirmationId })
    const action = await requiredBy(create())
    expect(action.actionPayload).toStrictEqual({
      userId: 'eve@example.test',
      permissions: ['*.*'],
      operation: 'user.create',
      email: 'eve@example.test',
    })
    await expect(test.countersign.users.find({ email: 'eve@example.test' })).rejects.toMatchObject({ code: 'user_not_found' })
    expect(await create(await approved(test, admin, action))).toMatchObject({ permissions: ['*.*'] })
  })
})
