import { testPassword } from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hours, minutes, pass } from '../testing/clocks.ts'
import { sharedTabs } from '../testing/shared-tabs.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import { watch } from '../testing/watch-call.ts'
import { asyncTokenStore } from './async-token-store.ts'
import type { TokenStore } from './token-store.ts'

const REFRESH = 'POST /api/v1/auth/refresh'
const LOGOUT = 'POST /api/v1/auth/logout'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => {})

/** Two tabs of one session. In the store of the first tab, the methods in `hanging` never return. */
const given = async () => {
  const tab = sharedTabs()
  const hanging = new Set<keyof TokenStore>()
  const whole = tab()
  const store = new Proxy(whole, {
    get: (target, name: keyof TokenStore) => (hanging.has(name) ? never : target[name]),
  })
  const all = await createTestClient({ store })
  const { user } = await logInNewUser(all)
  const other = all.another({ store: tab() })
  const refreshes = () => all.sent.filter((line) => line === REFRESH).length
  const reused = () => all.test.logger.entries.filter(({ event }) => event === 'refresh_token_reused')
  return { ...all, user, whole, hanging, other, refreshes, reused }
}

/** Lets time pass, and the server answer. */
const seconds = async (count: number) => {
  for (let second = 0; second < count; second += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a storage call that never returns', () => {
  it.each(['get', 'swap'] as const)('in a renewal, %s, does not stop other tabs from renewing', async (method) => {
    const all = await given()
    pass(all, hours(9))
    const { get } = all.whole
    // The first read of the call is answered.
    if (method === 'get') all.whole.get = vi.fn().mockImplementationOnce(get).mockImplementation(never)
    else all.hanging.add('swap')
    void all.client.devices.list().catch(() => undefined)
    await seconds(1)
    const seen = watch(all.other.devices.list())
    await seconds(6)
    expect(seen).toEqual([{ devices: [] }])
    expect(all.refreshes()).toBe(1)
    expect(all.reused()).toEqual([])
  })

  it('after a renewal does not stop other tabs from using the renewed tokens', async () => {
    const all = await given()
    pass(all, hours(9))
    const { swap } = all.whole
    // The write is of the key of the renewal.
    all.whole.swap = vi.fn().mockImplementationOnce((...given: Parameters<NonNullable<typeof swap>>) => swap?.(...given))
    vi.mocked(all.whole.swap).mockImplementation(never)
    const seen = watch(all.client.devices.list())
    await seconds(1)
    const later = watch(all.other.devices.list())
    await seconds(6)
    expect([seen, later]).toEqual([[{ devices: [] }], [{ devices: [] }]])
    expect(all.reused()).toEqual([])
  })

  it('lets the same client renew as soon as its store works again', async () => {
    const all = await given()
    all.test.clock.advance(hours(9))
    const { get } = all.whole
    let reads = 0
    all.whole.get = () => {
      reads += 1
      // The read in the renewal, after the reads of the call.
      return reads === 3 ? never() : get()
    }
    const failed = watch(all.client.devices.list())
    await seconds(6)
    expect(failed).toMatchObject([{ code: 'TIMEOUT' }])
    const seen = watch(all.client.devices.list())
    await seconds(1)
    expect(seen).toEqual([{ devices: [] }])
    expect(all.refreshes()).toBe(1)
  })

  it('does not stop a logout from ending the session', async () => {
    const all = await given()
    all.hanging.add('swap').add('remove').add('endings')
    const seen = watch(all.client.auth.logout())
    await seconds(30)
    expect(seen).toMatchObject([{ code: 'TIMEOUT' }])
    expect(all.sent).toEqual([LOGOUT])
    expect(await all.client.accessToken()).toBeUndefined()
  })

  it('makes a logout reject that cannot read the tokens', async () => {
    const all = await given()
    all.hanging.add('get')
    const seen = watch(all.client.auth.logout())
    await seconds(6)
    expect(seen).toMatchObject([{ code: 'TIMEOUT' }])
    all.hanging.clear()
    expect(await all.client.auth.logout()).toMatchObject({ success: true })
  })

  it('makes a login reject within the timeout of the call, and leaves no session on the service', async () => {
    const all = await given()
    const set = vi.fn(never)
    all.whole.set = set
    const seen = watch(all.client.auth.login({ email: all.user.email, password: testPassword }))
    // The service checks the password in real time, which must not count as time of the call.
    await expect.poll(() => set.mock.calls.length).toBe(1)
    await seconds(60)
    expect(seen).toMatchObject([{ code: 'TIMEOUT' }])
    expect(all.sent).toEqual(['POST /api/v1/auth/login', LOGOUT])
  })

  it('on a phone is tried again by a later call', async () => {
    const texts = new Map<string, string>()
    let reads = 0
    const storage = {
      getItem: async (key: string) => {
        if (key.endsWith('endings')) return null
        reads += 1
        return reads === 1 ? never() : (texts.get(key) ?? null)
      },
      setItem: async (key: string, value: string) => void texts.set(key, value),
      removeItem: async (key: string) => void texts.delete(key),
    }
    const all = await createTestClient()
    const tokens = await all.client.auth.login({ email: (await logInNewUser(all)).user.email, password: testPassword })
    await asyncTokenStore(storage).set({ kind: 'standard', ...tokens, renewAt: Date.now() + hours(7) })
    const phone = all.another({ store: asyncTokenStore(storage) })
    const seen = watch(phone.devices.list())
    await seconds(31)
    expect(seen).toMatchObject([{ code: 'TIMEOUT' }])
    expect(await phone.devices.list()).toEqual({ devices: [] })
  })
})

describe('a lock that is never granted', () => {
  /** Locks that some other tab holds for ever, and that know no signal. */
  const stuck = () => vi.stubGlobal('navigator', { locks: { request: never } })

  it('is ignored after ten seconds, and two tabs then renew with one key', async () => {
    const all = await given()
    stuck()
    pass(all, hours(9))
    const seen = [watch(all.client.devices.list()), watch(all.other.devices.list())]
    await seconds(9)
    expect(all.refreshes()).toBe(0)
    await seconds(6)
    expect(seen).toEqual([[{ devices: [] }], [{ devices: [] }]])
    expect(all.reused()).toEqual([])
  })

  it('delays a logout by no more than a second', async () => {
    const all = await given()
    stuck()
    const seen = watch(all.client.auth.logout())
    await seconds(1)
    expect(seen).toMatchObject([{ success: true }])
    expect(all.sent).toEqual([LOGOUT])
  })
})

describe('a page that slept in the middle of a renewal', () => {
  it('sends no token that another tab has spent meanwhile', async () => {
    const all = await given()
    pass(all, hours(9))
    const { swap } = all.whole
    let wake = () => {}
    const asleep = new Promise<void>((resolve) => {
      all.whole.swap = async (...args) => {
        const isDone = (await swap?.(...args)) ?? false
        resolve()
        await new Promise<void>((woken) => {
          wake = woken
        })
        return isDone
      }
    })
    const seen = watch(all.client.devices.list())
    await asleep
    // The other tab passes over the lock, and the timers of the sleeping page do not run.
    vi.stubGlobal('navigator', {})
    expect(await all.other.devices.list()).toEqual({ devices: [] })
    all.test.clock.advance(minutes(2))
    vi.setSystemTime(Date.now() + minutes(2))
    wake()
    await seconds(1)
    expect(seen).toEqual([{ devices: [] }])
    expect(all.refreshes()).toBe(1)
    expect(all.reused()).toEqual([])
  })
})
