import { setTimeout as pause } from 'node:timers/promises'
import { wireTransferDefinition, wireTransferPayload } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectWithinASecond } from '../../../tools/testing/within-a-second.ts'
import { APPROVES, approvePending, type DeviceUser, serviceToken, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type TestAnswer, type TestApp } from '../src/testing/test-app.ts'
import { sharedDatabases } from './shared-databases.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const actionType = 'wire_transfer'
const wire = { actionType, actionPayload: wireTransferPayload } as const
const extended = { 'Countersign-Extended': '1' }

const codeOf = ({ status, body }: TestAnswer) => [status, (body as { readonly code?: string }).code]
const detailsOf = ({ body }: TestAnswer) => (body as { readonly details?: Readonly<Record<string, string>> }).details

describe.each(sharedDatabases)('an action type on $name that another process registers', ({ open }) => {
  let here: TestApp
  let elsewhere: TestCountersign
  let user: DeviceUser
  let close: () => Promise<void>
  beforeAll(async () => {
    const { one: storage, other, ...opened } = await open()
    close = opened.close
    here = await createTestApp({ storage })
    elsewhere = await createTestCountersign({ ...here, storage: other })
    user = await signInWithDevice(here)
  })
  afterAll(async () => {
    await close?.()
  })

  const initiate = (changes: object = {}) => here.call('confirmations.initiate', { ...wire, ...changes }, { token: user.token })
  const register = (definition: object, version: string) =>
    elsewhere.countersign.actionTypes.register({ type: actionType, version, definitionText: JSON.stringify(definition) })
  /** Initiates until this process knows the change of the registry, which takes a second at most. */
  const initiated = async (version: string) => {
    let confirmationId = ''
    await expectWithinASecond(async () => {
      // The limit of pending confirmations of a user is low.
      await pause(50)
      const { status, body } = await initiate()
      if (status !== 200) return false
      confirmationId = (body as { readonly data: { readonly confirmationId: string } }).data.confirmationId
      const asked = await here.ask('confirmations.status', { confirmationId }, { token: user.token, headers: extended })
      return 'actionTypeVersion' in asked && asked.actionTypeVersion === version
    })
    return confirmationId
  }

  it('is refused as unknown before its registration', async () => {
    const refused = await initiate()
    expect([refused.status, detailsOf(refused)]).toEqual([
      400,
      { actionType: expect.stringMatching(/^must be one of payment_approval, .*sensitive_data_access$/) },
    ])
    for (const unknown of ['Wire', '', '__proto__', 'constructor']) {
      expect(detailsOf(await initiate({ actionType: unknown }))).toEqual(detailsOf(refused))
    }
  })

  it('is initiated, listed with its words, approved and redeemed', async () => {
    await register(wireTransferDefinition, '1.0.0')
    const confirmationId = await initiated('1.0.0')
    const { confirmations } = await here.ask('confirmations.pending', {}, { token: user.deviceToken })
    expect(confirmations.find((one) => one.confirmationId === confirmationId)).toMatchObject({
      ...wire,
      actionTypeVersion: '1.0.0',
      display: {
        en: {
          title: 'Wire transfer',
          lines: expect.arrayContaining([{ label: 'Amount', value: '\u20681,250.50 EUR\u2069', lead: true }]),
        },
        de: { title: 'Überweisung' },
      },
    })
    expect(await approvePending(here, user)).toBe(confirmationId)

    const scopes = ['initiate', 'read', 'redeem'].map((verb) => `confirmation.${verb}:${actionType}`)
    const token = await serviceToken(here, { scopes })
    const redeem = (actionPayload: object) =>
      here.call('services.redeem', { confirmationId, userId: user.user.id, actionType, actionPayload }, { token })
    expect(codeOf(await redeem({ ...wireTransferPayload, amount: 1 }))).toEqual([409, 'other_action'])
    expect((await redeem(wireTransferPayload)).status).toBe(200)
    expect((await redeem(wireTransferPayload)).status).toBe(410)
    const asked = await here.call('services.initiate', { ...wire, userId: user.user.id }, { token })
    expect(asked.status).toBe(200)
  })

  it('needs the approvals of several people if its policy says so', async () => {
    await elsewhere.countersign.actionPolicies.set({ actionType, permission: APPROVES, count: 2 })
    const approvers = [
      await signInWithDevice(here, { permissions: [APPROVES] }),
      await signInWithDevice(here, { permissions: [APPROVES] }),
    ]
    const start = () => here.call('approvals.start', wire, { token: user.token })
    let approvalId = ''
    await expectWithinASecond(async () => {
      const { status, body } = await start()
      if (status === 200) approvalId = (body as { readonly data: { readonly approvalId: string } }).data.approvalId
      return status === 200
    })
    for (const approver of approvers) {
      const { confirmations } = await here.ask('confirmations.pending', {}, { token: approver.deviceToken })
      expect(confirmations[0]).toMatchObject({
        statement: { approval: { id: approvalId, count: 2 } },
        display: { en: { title: 'Wire transfer' } },
      })
      await approvePending(here, approver)
    }
    expect(await here.ask('approvals.read', { approvalId }, { token: user.token })).toMatchObject({ status: 'approved' })
  })

  it('is used in its newest active version, and refused if no version is active', async () => {
    const { schema, display } = wireTransferDefinition
    const renamed = { schema, display: { ...display, title: { en: 'Transfer', de: 'Transfer' } } }
    const { key } = await register(renamed, '1.1.0')
    await initiated('1.1.0')
    await elsewhere.countersign.actionTypes.deactivate({ key })
    await initiated('1.0.0')
    await elsewhere.countersign.actionTypes.deactivate({ key: 'action_schema:wire_transfer:v1.0.0' })
    await expectWithinASecond(async () => (await initiate()).status === 400)
    const { confirmations } = await here.ask('confirmations.pending', {}, { token: user.deviceToken })
    expect(confirmations.map(({ actionTypeVersion }) => actionTypeVersion)).toContain('1.1.0')
  })
})
