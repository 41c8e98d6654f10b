import { registerTestDevice, signInByDevice, signInNewDeviceUser } from '@countersign/core/testing'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestStorage, testStorages } from '../src/testing/test-storages.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

describe.each(testStorages)('the races of a vouching, on $name,', ({ open }) => {
  let opened: TestStorage
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.remove())

  /** Prepares a device on probation, and two ways to decide about it. */
  const given = async () => {
    const test = await createTestCountersign({ storage: opened.storage, options: { rateLimits: 'off' } })
    const { web, ...phone } = await signInNewDeviceUser(test)
    test.clock.advance(11 * 60_000)
    const { caller } = await signInByDevice(test, phone)
    const { device } = await registerTestDevice(test, web.caller)
    const { confirmationId, matchNumber } = device.vouching ?? { confirmationId: '', matchNumber: '' }
    const { confirmations, devices } = test.countersign
    const [waiting] = await confirmations.pending({ caller })
    const signedChallenge = phone.signer.sign(waiting?.challenge ?? '')
    const approval = { caller, confirmationId, deviceId: phone.device.id, signedChallenge, matchNumber }
    return {
      approve: () => confirmations.approve(approval),
      reject: () => confirmations.reject({ caller, confirmationId }),
      remove: () => devices.remove({ caller: web.caller, deviceId: device.id }),
      trusted: async () => (await devices.list({ caller })).find(({ id }) => id === device.id)?.trusted,
    }
  }

  it('exactly one of an approval and a rejection at the same time wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { approve, reject, trusted } = await given()
      const [approved, rejected] = await Promise.allSettled([approve(), reject()])
      expect([approved.status, rejected.status].sort()).toEqual(['fulfilled', 'rejected'])
      expect(await trusted()).toBe(approved.status === 'fulfilled' ? true : undefined)
    }
  })

  it('a device that is approved and removed at the same time stays removed and approves nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { approve, remove, trusted } = await given()
      const [, removed] = await Promise.allSettled([approve(), remove()])
      expect(removed.status).toBe('fulfilled')
      expect(await trusted()).toBeUndefined()
    }
  })

  it('exactly one of many approvals at the same time wins', async () => {
    const { approve, trusted } = await given()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, approve))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await trusted()).toBe(true)
  })
})
