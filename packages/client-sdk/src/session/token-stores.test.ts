import { describe, expect, it, vi } from 'vitest'
import { asyncTokenStore } from './async-token-store.ts'
import { browserTokenStore } from './browser-token-store.ts'
import type { StoredTokens } from './token-store.ts'

const tokens: StoredTokens = {
  kind: 'biometric',
  accessToken: 'a',
  refreshToken: 'r',
  accessTokenExpiresAt: '2026-01-05T09:15:00.000Z',
  refreshTokenExpiresAt: '2026-02-05T09:00:00.000Z',
  renewAt: 1,
}

/** The common methods of React Native's storages. */
const anAsyncStorage = () => {
  const texts = new Map<string, string>()
  let reads = 0
  return {
    texts,
    reads: () => reads,
    getItem: async (key: string) => {
      reads += 1
      return texts.get(key) ?? null
    },
    setItem: async (key: string, value: string) => void texts.set(key, value),
    removeItem: async (key: string) => void texts.delete(key),
  }
}

describe('an asynchronous store', () => {
  it('returns the stored tokens, also to the next program', async () => {
    const storage = anAsyncStorage()
    await asyncTokenStore(storage).set(tokens)
    expect(await asyncTokenStore(storage).get()).toEqual(tokens)
    expect(await asyncTokenStore(storage, 'another.user').get()).toBeUndefined()
    expect([...storage.texts.keys()]).toEqual(['countersign'])
  })

  it('reads once, and remembers later changes', async () => {
    const storage = anAsyncStorage()
    const store = asyncTokenStore(storage)
    expect(await Promise.all([store.get(), store.get()])).toEqual([undefined, undefined])
    await store.set(tokens)
    expect(await store.get()).toEqual(tokens)
    await store.remove()
    expect(await store.get()).toBeUndefined()
    expect(storage.reads()).toBe(1)
    expect(storage.texts.size).toBe(0)
  })

  it('reads again after its storage failed', async () => {
    const storage = anAsyncStorage()
    storage.texts.set('countersign', JSON.stringify(tokens))
    let isLocked = true
    const store = asyncTokenStore({
      ...storage,
      getItem: (key) => (isLocked ? Promise.reject(new Error('locked')) : storage.getItem(key)),
    })
    await expect(store.get()).rejects.toThrow('locked')
    isLocked = false
    expect(await store.get()).toEqual(tokens)
  })
})

describe('a store of a browser that does not store data', () => {
  it('keeps tokens in memory, and reports this by the event notKept', async () => {
    vi.stubGlobal('indexedDB', undefined)
    const store = browserTokenStore()
    expect(await store.get()).toBeUndefined()
    expect(store.kept).toBe(false)
    await store.set(tokens)
    expect(await store.get()).toEqual(tokens)
    expect(await store.swap?.('another', undefined)).toBe(false)
    expect(await store.swap?.('r', { ...tokens, refreshToken: 'next' })).toBe(true)
    expect(await store.get()).toMatchObject({ refreshToken: 'next' })
    await store.remove()
    expect(await store.get()).toBeUndefined()
    expect(await browserTokenStore().get()).toBeUndefined()
  })
})

describe('a stored text', () => {
  it.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['no object', 'null'],
    ['of another kind', JSON.stringify({ ...tokens, kind: 'service' })],
    ['without a token', JSON.stringify({ ...tokens, refreshToken: '' })],
    ['without a time', JSON.stringify({ ...tokens, renewAt: Number.NaN })],
  ])('that is not a session counts as no session: %s', async (_, text) => {
    const storage = anAsyncStorage()
    if (text !== null) storage.texts.set('countersign', text)
    expect(await asyncTokenStore(storage).get()).toBeUndefined()
  })
})
