import { optionalRateLimitCategories, rateLimitCategories } from '@countersign/contract'
import { createTestCountersign, createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { minutes, seconds } from '../../shared/clock.ts'
import type { FullStorage } from '../../storage.ts'
import { defaultRateLimits, perMinute } from './limits.ts'

describe('the limit of a category', () => {
  it('counts each subject and each category separately', async () => {
    const { countersign } = await createTestCountersign()
    for (const category of rateLimitCategories) {
      for (const subject of ['user:1', 'user:2']) {
        const outcome = await countersign.rateLimits.take({ category, subject })
        expect(outcome?.remaining).toBe((outcome?.limit.burst ?? 0) - 1)
      }
    }
  })

  it('counts the requests to several cores on one database together', async () => {
    const one = await createTestCountersign()
    const other = await createTestCountersign({ storage: one.storage, clock: one.clock })
    const take = (index: number) =>
      (index % 2 === 0 ? one : other).countersign.rateLimits.take({ category: 'authentication', subject: 'address:192.0.2.1' })
    const outcomes = await Promise.all(Array.from({ length: 500 }, (_, index) => take(index)))
    expect(outcomes.filter((outcome) => outcome?.allowed)).toHaveLength(20)
  })

  it('is counted only in the store of the host if the host has one', async () => {
    const elsewhere = await createTestStorage()
    const { countersign, storage, clock } = await createTestCountersign({ rateLimitStore: elsewhere.rateLimits })
    for (let time = 0; time < 5; time += 1) await countersign.rateLimits.take({ category: 'authentication', subject: 'user:1' })
    const remainingIn = async ({ rateLimits }: Pick<FullStorage, 'rateLimits'>) => {
      const { remaining } = await rateLimits.take('authentication:user:1', defaultRateLimits.authentication, clock.now())
      return remaining
    }
    expect([await remainingIn(elsewhere), await remainingIn(storage)]).toStrictEqual([14, 19])
  })

  it('follows the options of the host', async () => {
    const limit = perMinute(1, minutes(1), 1)
    const rateLimits = Object.fromEntries(rateLimitCategories.map((name) => [name, limit]))
    const { countersign, clock } = await createTestCountersign({ options: { rateLimits } })
    const take = () => countersign.rateLimits.take({ category: 'confirmation', subject: 'user:1' })
    expect(await take()).toMatchObject({ allowed: true, limit })
    expect(await take()).toMatchObject({ allowed: false, retryAfterMs: minutes(1) })
    clock.advance(seconds(60))
    expect(await take()).toMatchObject({ allowed: true })
  })

  it.each(optionalRateLimitCategories)('%s has no limit unless a host sets one', async (category) => {
    const { countersign } = await createTestCountersign()
    expect(countersign.rateLimits.has(category)).toBe(false)
    expect(await countersign.rateLimits.take({ category, subject: 'user:1' })).toBeUndefined()
    const limit = perMinute(1, minutes(1), 1)
    const { countersign: limiting } = await createTestCountersign({
      options: { rateLimits: { ...defaultRateLimits, [category]: limit } },
    })
    expect(limiting.rateLimits.has(category)).toBe(true)
    expect(await limiting.rateLimits.take({ category, subject: 'user:1' })).toMatchObject({ allowed: true, limit })
    expect(await limiting.rateLimits.take({ category, subject: 'user:1' })).toMatchObject({ allowed: false })
  })

  it('allows another request after one was given back', async () => {
    const { countersign, clock } = await createTestCountersign({
      options: { rateLimits: { confirmation: perMinute(1, minutes(1), 1) } },
    })
    const asked = { category: 'confirmation', subject: 'session:1' } as const
    const taken = await countersign.rateLimits.take(asked)
    expect(taken).toMatchObject({ allowed: true, takenAt: clock.now() })
    clock.advance(1)
    const giveBack = (takenAt: number) => countersign.rateLimits.giveBack({ ...asked, takenAt })
    await giveBack(clock.now())
    expect(await countersign.rateLimits.take(asked)).toMatchObject({ allowed: false })
    await giveBack(taken?.takenAt ?? 0)
    expect(await countersign.rateLimits.take(asked)).toMatchObject({ allowed: true })
    await expect(giveBack(0.5)).rejects.toThrow('takenAt: must be the time of the request, in milliseconds')
  })

  it('gives nothing back for a category without a limit', async () => {
    const storage = await createTestStorage()
    const giveBack = vi.fn(storage.rateLimits.giveBack)
    const { countersign } = await createTestCountersign({ rateLimitStore: { ...storage.rateLimits, giveBack } })
    await countersign.rateLimits.giveBack({ category: 'health', subject: 'x', takenAt: 0 })
    expect(giveBack).not.toHaveBeenCalled()
  })

  it('still counts a request, and logs the reason, if the store cannot give the request back', async () => {
    const storage = await createTestStorage()
    const giveBack = () => Promise.reject(new TypeError('canary'))
    const { countersign, logger } = await createTestCountersign({ rateLimitStore: { ...storage.rateLimits, giveBack } })
    await countersign.rateLimits.giveBack({ category: 'confirmation', subject: 'x', takenAt: 0 })
    expect(logger.entries).toStrictEqual([{ level: 'warn', event: 'rate_limit_not_given_back', fields: { reason: 'TypeError' } }])
  })

  it('refuses nothing if rate limits are off', async () => {
    const { countersign } = await createTestCountersign({ options: { rateLimits: 'off' } })
    for (let time = 0; time < 100; time += 1) {
      expect(await countersign.rateLimits.take({ category: 'authentication', subject: 'user:1' })).toBeUndefined()
    }
  })
})
