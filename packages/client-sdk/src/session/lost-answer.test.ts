import { describe, expect, it } from 'vitest'
import { hours, minutes, pass, withFakeDate } from '../testing/clocks.ts'
import { sharedTabs } from '../testing/shared-tabs.ts'
import { broken, createTestClient, type Fault, logInNewUser, type TestClient } from '../testing/test-client.ts'
import { createTestSigner } from '../testing/test-signer.ts'
import { asyncTokenStore } from './async-token-store.ts'
import type { StoredTokens } from './token-store.ts'

withFakeDate()

/** A storage of a phone, which outlives the client. */
const aStorage = () => {
  const texts = new Map<string, string>()
  const storage = {
    getItem: async (key: string) => texts.get(key) ?? null,
    setItem: async (key: string, value: string) => void texts.set(key, value),
    removeItem: async (key: string) => void texts.delete(key),
  }
  return { storage, stored: () => JSON.parse(texts.get('countersign') ?? '{}') as Partial<StoredTokens> }
}

const given = async () => {
  const { storage, stored } = aStorage()
  const all = await createTestClient({ store: asyncTokenStore(storage) })
  await logInNewUser(all)
  /** Starts the app again, with the tokens that it has stored. */
  const restarted = () => all.another({ store: asyncTokenStore(storage) })
  return { ...all, stored, restarted }
}

/** The service renews, and its answer is lost on the way. */
const losing =
  ({ test }: TestClient, lost: () => Response | Promise<Response>): Fault =>
  async (request) => {
    await test.app.fetch(request)
    return lost()
  }
const away = () => Response.json({ message: 'Service temporarily unavailable', statusCode: 503 }, { status: 503 })

describe('a renewal whose answer is lost', () => {
  it.each([
    ['a broken connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['a 503 after the commit', away],
  ])('by %s is repeated by the next call, and nobody is signed out', async (_, lost) => {
    const all = await given()
    pass(all, hours(8))
    all.faults.push(losing(all, lost))
    await all.client.devices.list().catch(() => undefined)
    expect(await all.client.devices.list()).toEqual({ devices: [] })
    expect(all.sent.filter((line) => line.endsWith('/refresh'))).toHaveLength(2)
  })

  it('because the user left the page is repeated when the page starts again', async () => {
    const all = await given()
    pass(all, hours(8))
    const asked = new Promise<void>((resolve) => {
      all.faults.push(async (request) => {
        await all.test.app.fetch(request)
        resolve()
        return new Promise(() => {})
      })
    })
    // A page that was left hears no answer, and no end of the waiting.
    void all.client.devices.list().catch(() => undefined)
    await asked
    expect(await all.restarted().devices.list()).toEqual({ devices: [] })
  })

  it('is repeated for the session of a device, too', async () => {
    const all = await given()
    const signer = createTestSigner()
    await all.client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
    await all.client.mobile.login({ signer })
    pass(all, minutes(15))
    all.faults.push(losing(all, away))
    await all.client.devices.list().catch(() => undefined)
    expect((await all.client.devices.list()).devices).toHaveLength(1)
  })
})

describe('the key of a renewal', () => {
  /** Renews twice. Resolves with the key of each request, and with the stored keys before, during and after the requests. */
  const renewTwice = async (all: TestClient, stored: () => Promise<Partial<StoredTokens>>) => {
    const keys = { sent: [] as unknown[], stored: [(await stored()).renewalKey] }
    for (let round = 0; round < 2; round += 1) {
      pass(all, hours(8))
      all.faults.push(async (request) => {
        const { renewalKey } = (await request.clone().json()) as { renewalKey: string }
        keys.sent.push(renewalKey)
        keys.stored.push((await stored()).renewalKey)
        return all.test.app.fetch(request)
      })
      await all.client.devices.list()
      keys.stored.push((await stored()).renewalKey)
    }
    return keys
  }

  it('is stored with the tokens, and a new key is stored with the next tokens', async () => {
    const all = await given()
    const { sent, stored } = await renewTwice(all, async () => all.stored())
    const [first, , second, , third] = stored
    expect(first).toMatch(/^[\w-]{22}$/)
    expect(second).toMatch(/^[\w-]{43}$/)
    expect(stored).toEqual([first, first, second, second, third])
    expect(sent).toEqual([first, second])
    expect(new Set(stored).size).toBe(3)
  })

  it('is stored before the request and removed with the next tokens, in a store that all tabs share', async () => {
    const store = sharedTabs()()
    const all = await createTestClient({ store })
    await logInNewUser(all)
    const { sent, stored } = await renewTwice(all, async () => ({ ...(await store.get()) }))
    const [first, second] = sent
    expect(first).toMatch(/^[\w-]{22}$/)
    expect(stored).toEqual([undefined, first, undefined, second, undefined])
    expect(second).not.toBe(first)
  })

  it('stays the same while the service cannot be reached', async () => {
    const all = await given()
    pass(all, hours(8))
    all.faults.push(broken)
    await all.client.accessToken()
    const { renewalKey } = all.stored()
    expect(renewalKey).toBeDefined()
    all.faults.push(broken)
    await all.client.accessToken()
    expect(all.stored().renewalKey).toBe(renewalKey)
  })

  it('is not sent with tokens that somebody else has stored meanwhile', async () => {
    const all = await given()
    const before = all.stored()
    pass(all, hours(8))
    await all.restarted().devices.list()
    expect(all.stored().refreshToken).not.toBe(before.refreshToken)
    expect(await all.restarted().devices.list()).toEqual({ devices: [] })
  })
})
