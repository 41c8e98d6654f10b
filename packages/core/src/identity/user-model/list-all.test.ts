import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { signIn, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'

let given: TestCountersign
beforeEach(async () => {
  given = await createTestCountersign()
})

const hundredSessions = async () => {
  const { user } = await signInNewUser(given)
  for (let count = 1; count < 101; count += 1) {
    given.clock.advance(seconds(1))
    await signIn(given, user)
  }
}

test('pages are read to the end, without gaps and repetitions', async () => {
  await hundredSessions()
  const first = await given.countersign.sessions.listAll({})
  expect(first.items).toHaveLength(100)
  const last = await given.countersign.sessions.listAll({ after: first.next ?? '' })
  expect(last).toMatchObject({ items: [{}], next: null })
  const times = [...first.items, ...last.items].map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(new Set(times).size).toBe(101)
})

test('a page that ends with the list has no next page', async () => {
  await signInNewDeviceUser(given)
  expect(await given.countersign.sessions.listAll({ limit: 2 })).toMatchObject({ items: [{}, {}], next: null })
  expect(await given.countersign.devices.listAll({ limit: 1 })).toMatchObject({ items: [{}], next: null })
})

test('a session shows the client and the email of its user, and no token', async () => {
  const { user } = await signInNewUser(given)
  const { items } = await given.countersign.sessions.listAll({ email: user.email.toUpperCase() })
  expect(items).toMatchObject([{ userId: user.id, email: user.email, address: null, userAgent: null }])
  expect(Object.keys(items[0] ?? {}).filter((name) => /token|openedFrom/i.test(name))).toEqual([])
})

test('a device of a deleted user has no email, and a removed device is not trusted', async () => {
  const { user, device } = await signInNewDeviceUser(given)
  expect((await given.countersign.devices.listAll({})).items).toMatchObject([{ id: device.id, trusted: true, email: user.email }])
  await given.countersign.users.delete({ email: user.email })
  expect((await given.countersign.devices.listAll({})).items).toEqual([])
  const { items } = await given.countersign.devices.listAll({ removed: true, userId: user.id })
  expect(items).toMatchObject([{ id: device.id, trusted: false, email: null, removedAt: given.clock.now() }])
})

describe('the input of a list', () => {
  test.each([
    [{ after: 'x' }, 'after'],
    [{ after: '2026-02-30T00:00:00.000Z/x' }, 'after'],
    [{ after: '2026-01-31T00:00:00.000Z/' }, 'after'],
    [{ after: '2026-01-31/x' }, 'after'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ since: 1.5 }, 'since'],
    [{ before: Number.NaN }, 'before'],
    [{ userId: 1, email: 'ada@example.test' }, 'userId'],
  ])('%j is refused', async (input, field) => {
    for (const list of [given.countersign.sessions.listAll, given.countersign.devices.listAll]) {
      await expect(list(input)).rejects.toMatchObject({ code: 'invalid_input', fields: { [field]: expect.any(String) } })
    }
    await expect(given.countersign.confirmations.listAll(input)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('a status or a type of device that does not exist is refused', async () => {
    await expect(given.countersign.confirmations.listAll({ status: 'maybe' as 'pending' })).rejects.toThrow(
      'status: must be one of pending, approved, rejected, expired',
    )
    await expect(given.countersign.devices.listAll({ deviceType: 'x' as 'mobile' })).rejects.toThrow(
      'deviceType: must be one of mobile, desktop, tablet',
    )
  })

  test('an unknown email is refused, and an unknown id has no entries', async () => {
    await expect(given.countersign.sessions.listAll({ email: 'nobody@example.test' })).rejects.toThrow('User not found')
    expect(await given.countersign.sessions.listAll({ userId: 4711 })).toEqual({ items: [], next: null })
  })
})
