import { testPassword } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { hours, pass, withFakeDate } from '../testing/clocks.ts'
import { broken, createTestClient, logInNewUser } from '../testing/test-client.ts'
import { asyncTokenStore } from './async-token-store.ts'

withFakeDate()

/** A phone storage that can fail to write or to remove. */
const aStorage = () => {
  const texts = new Map<string, string>()
  const refusing = { writes: false, removals: false }
  const storage = {
    getItem: async (key: string) => texts.get(key) ?? null,
    setItem: async (key: string, value: string) => {
      if (refusing.writes) throw new Error('full')
      texts.set(key, value)
    },
    removeItem: async (key: string) => {
      if (refusing.removals) throw new Error('locked')
      texts.delete(key)
    },
  }
  return { texts, refusing, storage }
}

const given = async () => {
  const phone = aStorage()
  const all = await createTestClient({ store: asyncTokenStore(phone.storage) })
  const { user, tokens } = await logInNewUser(all)
  const reasons: string[] = []
  all.client.on('signedOut', ({ reason }) => reasons.push(reason))
  await all.client.accessToken()
  /** Starts the app again: a new client on the same stored tokens. */
  const restarted = () => all.another({ store: asyncTokenStore(phone.storage) })
  return { ...all, ...phone, user, tokens, reasons, restarted }
}

describe('a logout with a store that cannot forget', () => {
  it('ends the session on the service, then rejects with the error of the store', async () => {
    const { client, refusing, sent, reasons, tokens, another, restarted } = await given()
    refusing.removals = true
    await expect(client.auth.logout()).rejects.toThrow('locked')
    expect(sent).toEqual(['POST /api/v1/auth/logout'])
    expect(await client.accessToken()).toBeUndefined()
    expect(reasons).toEqual(['logout'])
    await expect(another().devices.list({}, { token: tokens.accessToken })).rejects.toMatchObject({ status: 401 })
    refusing.removals = false
    await expect(restarted().devices.list()).rejects.toMatchObject({ status: 401 })
  })

  it('rejects with the error of the store if the service cannot be reached either', async () => {
    const { client, refusing, faults } = await given()
    refusing.removals = true
    faults.push(broken)
    await expect(client.auth.logout()).rejects.toThrow('locked')
    expect(await client.accessToken()).toBeUndefined()
  })

  it('is repeated by the next logout', async () => {
    const { client, refusing, texts } = await given()
    refusing.removals = true
    await expect(client.auth.logout()).rejects.toThrow('locked')
    refusing.removals = false
    expect(await client.auth.logout()).toMatchObject({ success: true })
    expect(texts.size).toBe(0)
  })

  it('signs out, even if the store still returns the tokens', async () => {
    let kept: Parameters<ReturnType<typeof asyncTokenStore>['set']>[0] | undefined
    const stubborn = {
      get: () => kept,
      set: (tokens: NonNullable<typeof kept>) => {
        kept = tokens
      },
      remove: () => Promise.reject(new Error('locked')),
    }
    const all = await createTestClient({ store: stubborn })
    const { user } = await logInNewUser(all)
    await expect(all.client.auth.logout()).rejects.toThrow('locked')
    all.sent.length = 0
    expect(await all.client.accessToken()).toBeUndefined()
    expect(all.sent).toEqual([])
    await all.client.auth.login({ email: user.email, password: testPassword })
    expect(await all.client.devices.list()).toEqual({ devices: [] })
  })
})

describe('a login with a store that cannot write', () => {
  it('signs nobody in', async () => {
    const { client, refusing, user, reasons, restarted } = await given()
    await client.auth.logout()
    refusing.writes = true
    await expect(client.auth.login({ email: user.email, password: testPassword })).rejects.toThrow('full')
    expect(await client.accessToken()).toBeUndefined()
    expect(await restarted().accessToken()).toBeUndefined()
    expect(reasons).toEqual(['logout'])
  })

  it('leaves the earlier session signed in', async () => {
    const { client, refusing, user, tokens, reasons } = await given()
    refusing.writes = true
    await expect(client.auth.login({ email: user.email, password: testPassword })).rejects.toThrow('full')
    expect(await client.accessToken()).toBe(tokens.accessToken)
    expect(await client.devices.list()).toEqual({ devices: [] })
    expect(reasons).toEqual([])
  })
})

describe('a renewal with a store that cannot write', () => {
  it('continues with the new tokens, because the old tokens are spent', async () => {
    const all = await given()
    const { client, refusing, reasons, tokens, texts } = all
    refusing.writes = true
    pass(all, hours(8))
    await client.devices.list().catch(() => undefined)
    const renewed = await client.accessToken()
    expect(renewed).not.toBe(tokens.accessToken)
    expect(await client.devices.list()).toEqual({ devices: [] })
    expect(all.sent.filter((line) => line.endsWith('/refresh'))).toHaveLength(1)

    refusing.writes = false
    pass(all, hours(8))
    expect(await client.devices.list()).toEqual({ devices: [] })
    expect([...texts.values()].join()).toContain(await client.accessToken())
    expect(await all.restarted().devices.list()).toEqual({ devices: [] })
    expect(reasons).toEqual([])
  })
})
