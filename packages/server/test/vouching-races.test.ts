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
    const { confirmationId = '', matchNumber } = device.vouching ?? {}
    const { confirmations, devices, vouching } = test.countersign
    const [waiting] = await confirmations.pending({ caller })
    const signedChallenge = phone.signer.sign(waiting?.challenge ?? '')
    const approval = { caller, confirmationId, deviceId: phone.device.id, signedChallenge, matchNumber: matchNumber ?? '' }
    return {
      approve: () => confirmations.approve(approval),
      reject: () => confirmations.reject({ caller, confirmationId }),
      remove: () => devices.remove({ caller: web.caller, deviceId: device.id }),
      restart: (by: 'trusted' | 'registering') =>
        vouching.restart({ caller: by === 'trusted' ? caller : web.caller, deviceId: device.id }),
      read: () => vouching.read({ caller: web.caller, deviceId: device.id }),
      pending: () => confirmations.pending({ caller }),
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

  it('three of many restarts at the same time succeed, and one of their requests waits with the number in force', async () => {
    const { restart, read, pending } = await given()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => restart(index % 2 === 0 ? 'trusted' : 'registering')),
    )
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(7)
    expect(refused).toMatchObject(refused.map(() => ({ reason: { code: 'too_many_vouchings' } })))
    const [waiting, ...others] = await pending()
    expect(others).toEqual([])
    const started = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const told = started.find(({ confirmationId }) => confirmationId === waiting?.id)?.matchNumber
    const { status, matchNumber, triesLeft } = await read()
    expect([status, triesLeft]).toEqual(['pending', 0])
    expect(matchNumber).toMatch(/^\d\d$/)
    if (told !== null) expect(matchNumber).toBe(told)
  })

  it('a restart and an approval at the same time leave the device trusted, or one request that waits', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { approve, restart, pending, trusted } = await given()
      const [approved, restarted] = await Promise.allSettled([approve(), restart('registering')])
      expect([approved.status, restarted.status].sort()).toEqual(['fulfilled', 'rejected'])
      expect(await trusted()).toBe(approved.status === 'fulfilled')
      expect(await pending()).toHaveLength(approved.status === 'fulfilled' ? 0 : 1)
    }
  })

  it('exactly one of many approvals at the same time wins', async () => {
    const { approve, trusted } = await given()
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, approve))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await trusted()).toBe(true)
  })
})
