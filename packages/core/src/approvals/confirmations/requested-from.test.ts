import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
})

const initiate = (client: { readonly address?: string; readonly userAgent?: string }) =>
  test.countersign.confirmations.initiate({
    caller: user.web.caller,
    actionType: 'payment_approval',
    actionPayload: validPayloads.payment_approval,
    ...client,
  })

const shownFrom = async () => {
  const [pending] = await test.countersign.confirmations.pending({ caller: user.mobile.caller })
  return pending?.requestedFrom
}

describe('the client that asked for a confirmation', () => {
  it('is shown to the device', async () => {
    await initiate({ address: '203.0.113.7', userAgent: 'Firefox' })
    expect(await shownFrom()).toStrictEqual({ address: '203.0.113.7', userAgent: 'Firefox' })
  })

  it('is shown as unknown if the host does not report it', async () => {
    await initiate({})
    expect(await shownFrom()).toStrictEqual({ address: null, userAgent: null })
  })

  it('shows invisible characters of a client name, so that they hide no text', async () => {
    await initiate({ userAgent: 'evil\u202Etxet\n' })
    expect(await shownFrom()).toStrictEqual({ address: null, userAgent: 'evil\uFFFDtxet\uFFFD' })
  })

  it('is encrypted in the database', async () => {
    const { id } = await initiate({ address: 'canary-address', userAgent: 'canary-agent' })
    const stored = await test.storage.confirmations.byId(id)
    expect(JSON.stringify(stored)).not.toContain('canary')
    expect(stored?.requestedBy).toBe(user.web.caller.sessionId)
  })

  it('must be given as text', async () => {
    await expect(initiate({ userAgent: 7 as never })).rejects.toThrow('userAgent: must be the user agent of the client')
  })
})
