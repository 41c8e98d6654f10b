import { describe, expect, it } from 'vitest'
import { hours, minutes, pass, withFakeDate } from '../testing/clocks.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import type { StoredTokens, TokenStore } from './token-store.ts'

withFakeDate()

/** A server that renders pages: each request of the browser has a client of its own, on a copy of the cookie. */
const given = async () => {
  let cookie: string | undefined
  /** The tokens of one request. `written` is the cookie of its answer. */
  const requestWith = (sent: string | undefined): TokenStore & { readonly written: () => string | undefined } => {
    let tokens = sent === undefined ? undefined : (JSON.parse(sent) as StoredTokens)
    let written = sent
    const write = (next: StoredTokens | undefined) => {
      tokens = next
      written = next && JSON.stringify(next)
    }
    return { get: () => tokens, set: write, remove: () => write(undefined), written: () => written }
  }
  const first = requestWith(undefined)
  const all = await createTestClient({ store: first })
  await logInNewUser(all)
  cookie = first.written()
  /** Renders a page. Returns whether somebody is signed in, and the function that gives the browser the cookie of the answer. */
  const render = async () => {
    const store = requestWith(cookie)
    const client = all.another({ store })
    const [listed] = await Promise.allSettled([client.devices.list()])
    const answer = () => {
      cookie = store.written()
    }
    return { status: listed.status, answer }
  }
  const reused = () => all.test.logger.entries.filter(({ event }) => event === 'refresh_token_reused')
  return { ...all, render, reused, cookie: () => JSON.parse(cookie ?? '{}') as Partial<StoredTokens> }
}

describe('requests of one page, each with a copy of the cookie', () => {
  it('all stay signed in, also at the next renewals, in whatever order their answers reach the browser', async () => {
    const all = await given()
    const keys = new Set<string | undefined>()
    for (let round = 0; round < 3; round += 1) {
      pass(all, hours(8))
      const pages = await Promise.all([1, 2, 3].map(() => all.render()))
      expect(pages.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
      for (const { answer } of pages.reverse()) answer()
      keys.add(all.cookie().renewalKey)
    }
    expect(keys.size).toBe(3)
    expect(all.reused()).toEqual([])
  })

  it('compute the same next key without communication', async () => {
    const all = await given()
    pass(all, hours(8))
    const [one, other] = [await all.render(), await all.render()]
    one.answer()
    const ofOne = all.cookie()
    other.answer()
    expect(all.cookie().refreshToken).toBe(ofOne.refreshToken)
    expect(all.cookie().renewalKey).toBe(ofOne.renewalKey)
    expect(ofOne.renewalKey).toMatch(/^[\w-]{43}$/)
  })
})

describe('a cookie that could not be written', () => {
  it('is still accepted for a minute', async () => {
    const all = await given()
    pass(all, hours(8))
    expect((await all.render()).status).toBe('fulfilled')
    pass(all, minutes(1))
    const second = await all.render()
    expect(second.status).toBe('fulfilled')
    second.answer()
    pass(all, hours(8))
    expect((await all.render()).status).toBe('fulfilled')
    expect(all.reused()).toEqual([])
  })

  it('ends the session if it is used after this minute', async () => {
    const all = await given()
    pass(all, hours(8))
    await all.render()
    pass(all, minutes(1) + 1)
    expect((await all.render()).status).toBe('rejected')
    expect(all.reused()).toHaveLength(1)
  })
})
