import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { defaultOptions } from './options.ts'
import { retentionLimits, sweepLimits } from './retention.ts'
import { days } from './shared/clock.ts'
import { aServiceToken } from './testing/builders.ts'
import { clockStart } from './testing/fake-clock.ts'

it('each kind of records has its own limit', () => {
  const options = {
    ...defaultOptions,
    approvalRetention: days(100),
    refusalRetention: days(10),
    serviceTokenRetention: days(3),
    removedProjectRetention: days(40),
  }
  expect(retentionLimits(options, days(1000))).toEqual({
    approvals: days(900),
    refusals: days(990),
    serviceTokens: days(997),
    removedProjects: days(960),
  })
})

it('approvals are kept for ten years by default, and refusals for a year', () => {
  expect(retentionLimits(defaultOptions, clockStart)).toMatchObject({
    approvals: clockStart - days(3650),
    refusals: clockStart - days(365),
  })
})

it('no kind of record is kept for good by default, and each can be if the host says so', () => {
  expect(Object.keys(retentionLimits(defaultOptions, clockStart))).toHaveLength(4)
  const forever = {
    approvalRetention: 'forever',
    refusalRetention: 'forever',
    serviceTokenRetention: 'forever',
    removedProjectRetention: 'forever',
  } as const
  expect(retentionLimits({ ...defaultOptions, ...forever }, clockStart)).toEqual({})
})

it('a removed device stays while it counts as a trusted device of its user', () => {
  const options = { ...defaultOptions, approvalRetention: days(1), trustedDeviceMemory: days(7) }
  expect(retentionLimits(options, days(100)).approvals).toBe(days(93))
})

it('access tokens that are older than the longest lifetime and the leeway have expired', () => {
  const options = { ...defaultOptions, accessTokenLifetime: 300, biometricAccessTokenLifetime: 500, refreshLeeway: 30 }
  expect(sweepLimits({ ...options, renewalWindow: 0 }, 10_000).liveTokensSince).toBe(9470)
  expect(sweepLimits({ ...options, renewalWindow: 60 }, 10_000).liveTokensSince).toBe(9440)
})

it('an approval stays while it can be used', () => {
  const usable = { confirmationLifetime: days(5), approvalMaxAge: days(6) }
  const options = { ...defaultOptions, ...usable, approvalRetention: days(1), trustedDeviceMemory: days(7) }
  expect(retentionLimits(options, days(100)).approvals).toBe(days(89))
})

it.each([0, -1, days(1) - 1, days(36_525) + 1, 1.5 * days(1) + 0.5, 'never', null])(
  '%s is no retention',
  async (refusalRetention) => {
    const options = { refusalRetention } as object
    await expect(createTestCountersign({ options })).rejects.toThrow('refusalRetention must be forever, or whole milliseconds')
  },
)

it('a sweep deletes what is older than the options say, and a count before the sweep returns the same numbers', async () => {
  const { countersign, storage, clock } = await createTestCountersign({ options: { serviceTokenRetention: days(2) } })
  await storage.serviceTokens.add(aServiceToken({ createdAt: clockStart - 1, expiresAt: clockStart }))
  clock.advance(days(2))
  expect(await countersign.sweepable()).toEqual({})
  clock.advance(days(1))
  expect(await countersign.sweepable()).toEqual({ serviceTokens: 1 })
  expect(await countersign.sweep()).toEqual({ serviceTokens: 1 })
})
