import type { Output } from '@countersign/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProjectApp, type ProjectApp } from '../src/testing/project-app.ts'
import { concurrently, statusesOf } from '../src/testing/race.ts'
import { approvePending, type DeviceUser, deviceLogin, registerDevice } from '../src/testing/sign-in.ts'
import { type TestStorage, testStorages } from '../src/testing/test-storages.ts'

const gates = {
  'project.approve': { actionType: 'document_approval' },
  'project.delete': { actionType: 'settings_change' },
} as const

interface Action {
  readonly actionType: string
  readonly actionPayload: Readonly<Record<string, unknown>>
}

type Person = Pick<DeviceUser, 'token' | 'deviceToken' | 'device' | 'signer' | 'user'>

/** Returns the action in a refusal of a gate. */
const actionIn = (body: unknown): Action => {
  const { error } = body as { readonly error: { readonly code: string; readonly details: Action; readonly statusCode: number } }
  expect(error).toMatchObject({ code: 'CONFIRMATION_REQUIRED', message: 'Confirmation required', statusCode: 403 })
  expect(Object.keys(error.details)).toStrictEqual(['actionType', 'actionPayload', 'operation', 'tenant', 'policy'])
  return error.details
}

describe.each(testStorages)('gates, on $name', ({ open }) => {
  let opened: TestStorage
  let app: ProjectApp
  let ada: Person
  beforeAll(async () => {
    opened = await open()
    app = await createProjectApp({ storage: opened.storage, options: { rateLimits: 'off', gates } })
    ada = await withDevice(await app.signInWith('project.*'))
  })
  afterAll(() => opened.remove())

  const withDevice = async (signedIn: Pick<DeviceUser, 'token' | 'user'>): Promise<Person> => {
    const registered = await registerDevice(app, signedIn.token)
    return { ...signedIn, ...registered, deviceToken: (await deviceLogin(app, registered)).accessToken }
  }

  const initiate = (action: Action, { token }: Person): Promise<Output<'confirmations.initiate'>> =>
    app.ask('confirmations.initiate', action as never, { token })

  /** Initiates the confirmation of an action, approves it on the device, and returns its id. */
  const approved = async (action: Action, person = ada): Promise<string> => {
    const { confirmationId, challenge } = await initiate(action, person)
    const signed = { confirmationId, deviceId: person.device.id, signedChallenge: person.signer.sign(challenge) }
    await app.ask('confirmations.verify', signed, { token: person.deviceToken })
    return confirmationId
  }

  const approve = (uniqueCode: string, confirmationId?: string, { token } = ada) =>
    app.call('projects.approve', { uniqueCode, ...(confirmationId !== undefined && { confirmationId }) }, { token })
  const update = (uniqueCode: string, change: object, { token } = ada) =>
    app.call('projects.update', { uniqueCode, ...change }, { token })
  const statusOf = async (uniqueCode: string) => (await app.ask('projects.get', { uniqueCode }, { token: ada.token })).data.status
  const requiredTo = async (uniqueCode: string): Promise<Action> => actionIn((await approve(uniqueCode)).body)

  it('refuse to approve a project without an approval, and say exactly what would be done', async () => {
    const { uniqueCode, updatedAt } = await app.create({ name: 'Bridge', contractValue: 1250.5 })
    const answer = await approve(uniqueCode)
    expect(answer.status).toBe(403)
    expect(actionIn(answer.body)).toStrictEqual({
      actionType: 'document_approval',
      actionPayload: {
        documentId: uniqueCode,
        documentName: 'Bridge',
        operation: 'project.approve',
        version: updatedAt,
        status: 'approved',
        amount: 1250.5,
        currency: 'EUR',
        oldStatus: 'pending',
      },
      operation: 'project.approve',
      tenant: null,
      policy: null,
    })
    expect(await app.ask('projects.get', { uniqueCode }, { token: ada.token })).toMatchObject({ data: { updatedAt } })
  })

  it('let an approved call pass, once', async () => {
    const { uniqueCode } = await app.create()
    const confirmationId = await approved(await requiredTo(uniqueCode))
    expect((await approve(uniqueCode, confirmationId)).status).toBe(200)
    expect(await statusOf(uniqueCode)).toBe('approved')
    expect((await approve(uniqueCode, confirmationId)).status).toBe(410)
    expect((await approve(uniqueCode)).status).toBe(403)
  })

  it('ask for the approvals of several people while the type of the action has a policy', async () => {
    const { uniqueCode } = await app.create()
    const alone = await approved(await requiredTo(uniqueCode))
    const policy = { permission: 'document.approve', count: 2 } as const
    await app.countersign.actionPolicies.set({ actionType: 'document_approval', ...policy })
    try {
      const approvers = await Promise.all([1, 2].map(async () => withDevice(await app.signInWith(policy.permission))))
      expect((await approve(uniqueCode, alone)).body).toMatchObject({ error: { statusCode: 409 } })
      const action = await requiredTo(uniqueCode)
      expect(action).toMatchObject({ operation: 'project.approve', policy })
      const { approvalId } = await app.ask('approvals.start', action as never, { token: ada.token })
      for (const [at, person] of approvers.entries()) {
        expect([at, (await approve(uniqueCode, approvalId)).status]).toStrictEqual([at, 409])
        await approvePending(app, person, approvalId)
      }
      const other = await withDevice(await app.signInWith('project.*'))
      expect((await approve(uniqueCode, approvalId, other)).status).toBe(404)
      const answers = await concurrently(5, () => approve(uniqueCode, approvalId))
      expect(statusesOf(answers)[200]).toBe(1)
      expect(await statusOf(uniqueCode)).toBe('approved')
      const votes = await opened.storage.approvalRequests.confirmationsOf(approvalId)
      expect(votes.map(({ consumedBy }) => consumedBy)).toStrictEqual(['gate:project.approve', 'gate:project.approve'])
    } finally {
      await app.countersign.actionPolicies.remove({ actionType: 'document_approval' })
    }
  })

  it('store the name of the gate that used the approval', async () => {
    const { uniqueCode } = await app.create()
    const confirmationId = await approved(await requiredTo(uniqueCode))
    await approve(uniqueCode, confirmationId)
    const stored = await opened.storage.confirmations.byId(confirmationId)
    expect(stored).toMatchObject({ consumedBy: 'gate:project.approve', consumedAt: expect.any(Number) })
  })

  it('require an approval also for a change of the status to `approved`', async () => {
    const { uniqueCode } = await app.create()
    const status = 'approved'
    const action = actionIn((await update(uniqueCode, { status })).body)
    expect(action.actionPayload).toMatchObject({ operation: 'project.approve', status, oldStatus: 'pending' })
    expect(await statusOf(uniqueCode)).toBe('pending')
    expect((await update(uniqueCode, { status, confirmationId: await approved(action) })).status).toBe(200)
    expect(await statusOf(uniqueCode)).toBe(status)
  })

  it('require an approval for changes of name, value and status of an approved project, and of no other field', async () => {
    const { uniqueCode } = await app.create({ name: 'Bridge', contractValue: 1000 })
    await approve(uniqueCode, await approved(await requiredTo(uniqueCode)))
    const action = actionIn((await update(uniqueCode, { contractValue: 9e9, name: 'Road' })).body)
    const payload = { operation: 'project.update', documentName: 'Road', oldName: 'Bridge', amount: 9e9, oldAmount: 1000 }
    expect(action.actionPayload).toMatchObject(payload)
    expect((await update(uniqueCode, { status: 'pending' })).status).toBe(403)
    expect((await update(uniqueCode, { description: 'long', progress: 'delivering', name: 'Bridge' })).status).toBe(200)
  })

  it('need no approval for other changes', async () => {
    const { uniqueCode } = await app.create()
    expect((await update(uniqueCode, { name: 'Road', contractValue: 5, status: 'lost' })).status).toBe(200)
    const progress = { uniqueCode, progress: 'bidding' }
    expect((await app.call('projects.setProgress', progress, { token: ada.token })).status).toBe(200)
  })

  it('require an approval for a deletion', async () => {
    const { uniqueCode, updatedAt } = await app.create({ name: 'Bridge' })
    const remove = (confirmationId?: string) =>
      app.call('projects.remove', { uniqueCode, ...(confirmationId !== undefined && { confirmationId }) }, { token: ada.token })
    const action = actionIn((await remove()).body)
    expect(action).toStrictEqual({
      actionType: 'settings_change',
      actionPayload: {
        settingKey: `project ${uniqueCode}`,
        oldValue: { name: 'Bridge', status: 'pending', amount: 1000, currency: 'EUR', version: updatedAt },
        newValue: null,
        operation: 'project.delete',
      },
      operation: 'project.delete',
      tenant: null,
      policy: null,
    })
    const confirmationId = await approved(action)
    expect((await remove(confirmationId)).status).toBe(204)
    expect((await remove(confirmationId)).status).toBe(404)
  })

  it('refuse an approval of another payload, of another project and of another type, and leave each unused', async () => {
    const { uniqueCode } = await app.create()
    const action = await requiredTo(uniqueCode)
    const other = await requiredTo((await app.create()).uniqueCode)
    const payments = { actionType: 'payment_approval', actionPayload: { amount: 1, currency: 'EUR', recipient: uniqueCode } }
    const wrong = [{ ...action, actionPayload: { ...action.actionPayload, amount: 1 } }, other, payments]
    for (const one of wrong) {
      const confirmationId = await approved(one)
      expect((await approve(uniqueCode, confirmationId)).status).toBe(409)
      expect(await opened.storage.confirmations.byId(confirmationId)).toMatchObject({ consumedAt: null })
    }
    expect(await statusOf(uniqueCode)).toBe('pending')
  })

  it('refuse an approval of the project as it was before a change', async () => {
    const { uniqueCode } = await app.create()
    const confirmationId = await approved(await requiredTo(uniqueCode))
    app.clock.advance(1)
    await update(uniqueCode, { description: 'another text' })
    expect((await approve(uniqueCode, confirmationId)).status).toBe(409)
    expect((await approve(uniqueCode, await approved(await requiredTo(uniqueCode)))).status).toBe(200)
  })

  it('do not use an approval if the call is refused for another reason', async () => {
    const { uniqueCode } = await app.create()
    const confirmationId = await approved(actionIn((await update(uniqueCode, { status: 'approved' })).body))
    const wrong = { status: 'approved', customerId: 'another', confirmationId }
    expect((await update(uniqueCode, wrong)).status).toBe(400)
    expect((await approve('PRJ-0', confirmationId)).status).toBe(404)
    const unused = await opened.storage.confirmations.byId(confirmationId)
    expect(unused).toMatchObject({ consumedAt: null })
    expect((await update(uniqueCode, { status: 'approved', confirmationId })).status).toBe(200)
  })

  it('reveal nothing about the action to a caller without the permission', async () => {
    const { uniqueCode } = await app.create()
    const { token } = await app.signInWith('project.read', 'project.update')
    const refusal = await app.call('projects.approve', { uniqueCode }, { token })
    expect(refusal.body).toMatchObject({ error: { code: 'FORBIDDEN', details: {} } })
  })

  it('read the approval from the header only', async () => {
    const { uniqueCode } = await app.create()
    const confirmationId = await approved(actionIn((await update(uniqueCode, { status: 'approved' })).body))
    const json = { status: 'approved', confirmationId }
    const path = `/api/v1/projects/${uniqueCode}`
    expect((await app.send('PATCH', path, { json, token: ada.token })).status).toBe(403)
    const headers = { 'confirmation-id': confirmationId }
    expect((await app.send('PATCH', path, { json: { status: 'approved' }, headers, token: ada.token })).status).toBe(200)
  })

  it('let one of 100 calls with the same approval pass', async () => {
    const { uniqueCode } = await app.create()
    const confirmationId = await approved(await requiredTo(uniqueCode))
    const statuses = statusesOf(await concurrently(100, () => approve(uniqueCode, confirmationId)))
    expect(statuses[200]).toBe(1)
    expect(Object.keys(statuses).every((status) => ['200', '409', '410'].includes(status))).toBe(true)
  })

  it('escape text that changes the direction of reading, so that such a project can be approved too', async () => {
    const { uniqueCode } = await app.create({ name: 'Bridge \u202egpj' })
    const action = await requiredTo(uniqueCode)
    expect(action.actionPayload.documentName).toBe('Bridge \\u{202e}gpj')
    expect((await approve(uniqueCode, await approved(action))).status).toBe(200)
  })
})

it('if no gates are configured, operations ignore the header', async () => {
  const app = await createProjectApp()
  const { token } = app
  const { uniqueCode } = await app.create()
  expect((await app.call('projects.approve', { uniqueCode }, { token })).status).toBe(200)
  expect((await app.call('projects.update', { uniqueCode, name: 'x', confirmationId: 'conf_x' }, { token })).status).toBe(200)
  expect((await app.call('projects.remove', { uniqueCode, confirmationId: 'conf_x' }, { token })).status).toBe(204)
})
