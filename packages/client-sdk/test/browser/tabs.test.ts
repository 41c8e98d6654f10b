import { createTestUser, testPassword } from '@countersign/core/testing'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { type ClientPages, openClientPages } from './client-pages.ts'

const REFRESH = 'POST /api/v1/auth/refresh'
const HOURS = 3_600_000

describeInBrowser('two tabs', () => {
  let pages: ClientPages
  let one: Page
  let other: Page
  beforeAll(async () => {
    pages = await openClientPages({ rateLimits: 'off' })
  })
  afterAll(() => pages?.close())

  /** Creates a client of the shared session in each tab, which records why it is signed out. */
  const begin = (page: Page) =>
    page.evaluate(() => {
      globalThis.client = sdk.createClient({ baseUrl: location.origin, store: sdk.localStorageTokenStore() })
      document.title = ''
      client.on('signedOut', ({ reason }) => {
        document.title += ` ${reason}`
      })
    })

  const list = (page: Page, times = 1) =>
    page.evaluate(
      async (count) =>
        (await Promise.allSettled(Array.from({ length: count }, () => client.devices.list()))).map(({ status }) => status),
      times,
    )

  const logIn = async () => {
    const { email } = await createTestUser(pages.test)
    await one.evaluate(async (given) => void (await client.auth.login(given)), { email, password: testPassword })
    return email
  }

  beforeEach(async () => {
    one = await pages.openTab()
    other = await pages.openTab()
    await Promise.all([begin(one), begin(other)])
    pages.requests.length = 0
  })
  afterEach(async () => {
    await one.close()
    await other.close()
  })

  it('share one session', async () => {
    await logIn()
    expect(await list(other)).toEqual(['fulfilled'])
  })

  it('renew the session once, however many calls are under way in both', async () => {
    await logIn()
    for (let round = 0; round < 5; round += 1) {
      pages.requests.length = 0
      pages.test.clock.advance(9 * HOURS)
      const outcomes = await Promise.all([list(one, 5), list(other, 5), list(one, 5), list(other, 5)])
      expect(outcomes.flat()).toEqual(Array.from({ length: 20 }, () => 'fulfilled'))
      expect(pages.requests.filter((line) => line === REFRESH)).toHaveLength(1)
    }
  })

  it('renew the session once if both find it near its end', async () => {
    await logIn()
    const age = (page: Page) =>
      page.evaluate(() => {
        const { renewAt: _, ...tokens } = JSON.parse(localStorage.getItem('countersign') ?? '{}') as Record<string, unknown>
        localStorage.setItem('countersign', JSON.stringify({ ...tokens, renewAt: 1 }))
      })
    await age(one)
    await Promise.all([list(one, 5), list(other, 5)])
    expect(pages.requests.filter((line) => line === REFRESH)).toHaveLength(1)
  })

  it('are both signed out by a logout in one tab, immediately and once each', async () => {
    await logIn()
    await list(other)
    await one.evaluate(async () => void (await client.auth.logout()))
    await other.waitForFunction(() => document.title !== '')
    expect(await one.title()).toBe('logout')
    expect(await other.title()).toBe('elsewhere')
    expect(await list(other)).toEqual(['rejected'])
    expect(await other.title()).toBe('elsewhere')
  })

  it('both report once that the service ended the session', async () => {
    const email = await logIn()
    await list(other)
    for (const { id } of await pages.test.countersign.sessions.list({ email })) {
      await pages.test.countersign.sessions.revoke({ id })
    }
    await Promise.all([list(one, 5), list(other, 5)])
    await other.waitForFunction(() => document.title !== '')
    await one.waitForFunction(() => document.title !== '')
    expect(pages.requests.filter((line) => line === REFRESH)).toHaveLength(1)
    expect([await one.title(), await other.title()].sort()).toEqual(['elsewhere', 'ended'])
  })

  it('keep the session after a reload', async () => {
    await logIn()
    await one.reload()
    await one.waitForFunction(() => 'sdk' in globalThis)
    await begin(one)
    expect(await list(one)).toEqual(['fulfilled'])
  })

  it('log no errors', () => {
    expect(pages.watched.complaints).toEqual([])
  })
})
