import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Client } from '../client.ts'
import { hours, pass, withFakeDate } from '../testing/clocks.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import type { ClientEvents } from './events.ts'
import { memoryTokenStore, type TokenStore } from './token-store.ts'

withFakeDate()
afterEach(() => vi.unstubAllGlobals())

/** A store that tabs share, each with a store object of its own, and that announces changes to the other tabs. */
const tabs = () => {
  const shared = memoryTokenStore()
  const listeners = new Map<() => void, TokenStore>()
  const tab = (): TokenStore => {
    const announce = () => {
      for (const [listener, of] of listeners) if (of !== store) listener()
    }
    const store: TokenStore = {
      name: 'shared',
      get: () => shared.get(),
      set: async (tokens) => {
        await shared.set(tokens)
        announce()
      },
      remove: async () => {
        await shared.remove()
        announce()
      },
      subscribe: (onChange) => {
        listeners.set(onChange, store)
        return () => listeners.delete(onChange)
      },
    }
    return store
  }
  return tab
}

const eventsOf = (client: Client): readonly unknown[] => {
  const events: unknown[] = []
  for (const name of ['signedOut', 'signedIn', 'userChanged', 'notKept'] satisfies (keyof ClientEvents)[]) {
    client.on(name, (event) => events.push({ [name]: event }))
  }
  return events
}

/** Two tabs. The first has signed a user in. */
const given = async () => {
  const tab = tabs()
  const all = await createTestClient({ store: tab() })
  const { user } = await logInNewUser(all)
  const other = all.another({ store: tab() })
  const second = await createTestUser(all.test)
  const logIn = (client: Client, email: string) => client.auth.login({ email, password: testPassword })
  return { ...all, tab, user, other, second, logIn }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('another user in another tab', () => {
  it('raises userChanged once, and no call of the first page acts as the second user', async () => {
    const { client, other, second, logIn, sent } = await given()
    const events = eventsOf(client)
    await client.devices.list()
    await logIn(other, second.email)
    await settle()
    sent.length = 0
    for (const call of [() => client.devices.list(), () => client.accessToken(), () => client.auth.logout()]) {
      await expect(call()).rejects.toMatchObject({ code: 'USER_CHANGED' })
    }
    expect(sent).toEqual([])
    expect(events).toEqual([{ userChanged: { userId: second.id } }])
    expect(await other.internal.introspect({ serviceName: 'billing' })).toMatchObject({ claims: { id: second.id } })
  })

  it('fails calls that are under way', async () => {
    const { client, other, second, logIn, faults } = await given()
    eventsOf(client)
    await client.devices.list()
    const asked = new Promise<void>((resolve) => {
      faults.push(() => {
        resolve()
        return new Promise(() => {})
      })
    })
    const call = client.devices.list().catch((error: unknown) => error)
    await asked
    await logIn(other, second.email)
    expect(await call).toMatchObject({ code: 'USER_CHANGED' })
  })

  it('is accepted by a login of this client', async () => {
    const { client, other, user, second, logIn } = await given()
    const events = eventsOf(client)
    await client.devices.list()
    await logIn(other, second.email)
    await settle()
    await logIn(client, user.email)
    expect(await client.devices.list()).toEqual({ devices: [] })
    expect(events).toEqual([{ userChanged: { userId: second.id } }])
  })

  it('raises signedIn on a page that was signed out', async () => {
    const { client, other, second, logIn } = await given()
    const events = eventsOf(client)
    await client.devices.list()
    await other.auth.logout()
    await settle()
    await logIn(other, second.email)
    await settle()
    expect(events).toEqual([{ signedOut: { reason: 'elsewhere' } }, { signedIn: { userId: second.id } }])
    expect(await client.internal.introspect({ serviceName: 'billing' })).toMatchObject({ claims: { id: second.id } })
  })
})

describe('signedIn', () => {
  it('is emitted neither for a session that the page finds when it opens, nor for a login of its own', async () => {
    const { another, tab, second } = await given()
    const opened = another({ store: tab() })
    const events = eventsOf(opened)
    await opened.devices.list()
    await opened.auth.logout()
    await opened.auth.login({ email: second.email, password: testPassword })
    await settle()
    expect(events).toEqual([{ signedOut: { reason: 'logout' } }])
  })
})

describe('loggedIn', () => {
  it('is emitted for each login of this client', async () => {
    const { another, user, second, logIn } = await given()
    const opened = another({ store: memoryTokenStore() })
    const events: unknown[] = []
    opened.on('loggedIn', (event) => events.push(event))
    await logIn(opened, user.email)
    await logIn(opened, second.email)
    await settle()
    expect(events).toEqual([{ userId: user.id }, { userId: second.id }])
  })
})

describe('notKept', () => {
  it('is emitted once to each listener of a store that cannot keep tokens', async () => {
    const all = await createTestClient({ store: { ...memoryTokenStore(), kept: false } })
    const [first, second] = [eventsOf(all.client), eventsOf(all.client)]
    await logInNewUser(all)
    await all.client.devices.list()
    expect(first).toEqual([{ notKept: {} }])
    expect(second).toEqual([{ notKept: {} }])
  })
})

describe('a tab that sleeps while it holds the lock', () => {
  it('does not stop another tab from calling with the present token', async () => {
    const { client, test, user: _, ...all } = await given()
    vi.stubGlobal('navigator', { locks: { request: () => new Promise(() => {}) } })
    vi.setSystemTime(Date.now() + hours(8))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.now() })
    const token = client.accessToken()
    const call = client.devices.list({}, { timeout: 1000 })
    await vi.advanceTimersByTimeAsync(500)
    expect(await call).toEqual({ devices: [] })
    await vi.advanceTimersByTimeAsync(4500)
    expect(await token).toBeDefined()
    expect(all.sent.filter((line) => line.endsWith('/refresh'))).toEqual([])
  })
})

describe('a page that is left during a renewal', () => {
  /** A browser's window, and its locks: each is granted once the one before it is given back. */
  const window = () => {
    const events = new EventTarget()
    for (const name of ['addEventListener', 'removeEventListener'] as const) vi.stubGlobal(name, events[name].bind(events))
    let last: Promise<unknown> = Promise.resolve()
    const request = (...given: readonly unknown[]) => {
      const run = given.at(-1) as () => Promise<unknown>
      const { signal } = given[1] as { readonly signal?: AbortSignal }
      last = last.catch(() => undefined).then(() => (signal?.aborted ? Promise.reject(signal.reason as Error) : run()))
      return last
    }
    const asking = vi.fn(request)
    vi.stubGlobal('navigator', { locks: { request: asking } })
    return { asking, leave: () => void events.dispatchEvent(new Event('pagehide')) }
  }

  it('gives the lock to the other tab, which renews with the same key, and writes nothing when it comes back', async () => {
    const all = await given()
    const { leave } = window()
    pass(all, hours(8))
    const bodies: { readonly renewalKey: string }[] = []
    const noting = async (request: Request) => {
      bodies.push((await request.clone().json()) as { renewalKey: string })
      return all.test.app.fetch(request)
    }
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      all.faults.push(async (request) => {
        const response = await noting(request)
        resolve()
        await new Promise<void>((given) => {
          answer = given
        })
        return response
      }, noting)
    })
    const left = all.client.internal.introspect({ serviceName: 'billing' }).catch((error: unknown) => error)
    await asked
    leave()
    const store = all.tab()
    expect(await all.other.devices.list()).toEqual({ devices: [] })
    const renewed = await store.get()
    answer()
    await left
    await settle()
    expect(bodies).toHaveLength(2)
    expect(bodies[1]).toEqual(bodies[0])
    expect(await store.get()).toEqual(renewed)
    expect(await all.client.devices.list()).toEqual({ devices: [] })
  })

  it('sends no request when it is granted the lock later', async () => {
    const all = await given()
    const { asking, leave } = window()
    let giveBack = () => {}
    const held = new Promise<void>((resolve) => {
      giveBack = resolve
    })
    void navigator.locks.request('countersign:shared', () => held)
    vi.setSystemTime(Date.now() + hours(8))
    const call = all.client.devices.list()
    await expect.poll(() => asking).toHaveBeenCalledTimes(2)
    leave()
    giveBack()
    expect(await call).toEqual({ devices: [] })
    expect(all.sent.filter((line) => line.endsWith('/refresh'))).toEqual([])
  })
})

describe('a browser that refuses locks', () => {
  it('renews without a lock', async () => {
    const all = await given()
    vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('The operation is insecure.')) } })
    pass(all, hours(8))
    expect(await all.client.devices.list()).toEqual({ devices: [] })
    expect(all.sent.filter((line) => line.endsWith('/refresh'))).toHaveLength(1)
  })
})
