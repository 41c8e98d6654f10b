import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import type { LiveEvents } from '../../src/events/index.ts'
import { hours } from '../../src/testing/clocks.ts'
import { type ClientPages, openClientPages } from './client-pages.ts'
import { age, begin, list, logIn, openTwoTabs, REFRESH } from './shared-session.ts'

declare global {
  /** The live events of a page, and the events that the page received. */
  var live: LiveEvents
  var told: string[]
}

const LOGOUT = 'POST /api/v1/auth/logout'

describeInBrowser('the session of several tabs', () => {
  let pages: ClientPages
  let one: Page
  let other: Page
  beforeAll(async () => {
    pages = await openClientPages({ rateLimits: 'off' }, { backForwardCache: true })
  })
  afterAll(() => pages?.close())

  const refreshes = () => pages.requests.filter((line) => line === REFRESH).length

  beforeEach(async () => {
    ;[one, other] = await openTwoTabs(pages)
  })
  afterEach(async () => {
    await one.close()
    await other.close()
  })

  it('is used by two tabs while a third tab sleeps and holds the lock', async () => {
    await logIn(pages, one)
    await age(one)
    const third = await pages.openTab()
    await third.evaluate(() => void navigator.locks.request('countersign:countersign', () => new Promise(() => {})))
    await third.waitForFunction(async () => (await navigator.locks.query()).held?.length === 1)
    pages.requests.length = 0
    const [listed, token] = await Promise.all([list(other), one.evaluate(() => client.accessToken())])
    expect(listed).toEqual(['fulfilled'])
    expect(token).toBeDefined()
    expect(pages.requests).not.toContain(REFRESH)
    await third.close()
    await expect.poll(refreshes).toBe(1)
  })

  it('is used again after another tab has stopped blocking the storage', async () => {
    const email = await logIn(pages, one)
    await list(other)
    const third = await pages.openTab()
    await third.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('countersign-tokens')
          opening.onsuccess = () => {
            const entries = opening.result.transaction('tokens', 'readwrite').objectStore('tokens')
            const keepOpen = () => {
              entries.get('countersign').onsuccess = keepOpen
              resolve()
            }
            keepOpen()
          }
        }),
    )
    // A page that opens meanwhile does not treat the session as ended.
    const late = await pages.openTab()
    await begin(late)
    pages.requests.length = 0
    const code = (tab: Page) => tab.evaluate(() => client.devices.list().then(String, (error: { code: string }) => error.code))
    const tabs = [one, other, late]
    expect(await Promise.all(tabs.map(code))).toEqual(['TIMEOUT', 'TIMEOUT', 'TIMEOUT'])
    expect(pages.requests).toEqual([])
    await third.close()
    expect((await Promise.all(tabs.map((tab) => list(tab)))).flat()).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(await Promise.all(tabs.map((tab) => tab.title()))).toEqual(['', '', ''])
    await late.close()
    expect(await pages.test.countersign.sessions.list({ email })).toHaveLength(1)
  })

  it('is renewed after ten seconds while another tab sleeps and holds the lock', async () => {
    await logIn(pages, one)
    await list(other)
    const third = await pages.openTab()
    await third.evaluate(() => void navigator.locks.request('countersign:countersign', () => new Promise(() => {})))
    await third.waitForFunction(async () => (await navigator.locks.query()).held?.length === 1)
    pages.test.clock.advance(hours(9))
    pages.requests.length = 0
    expect(await Promise.all([list(one, 3), list(other, 3)])).toEqual([Array(3).fill('fulfilled'), Array(3).fill('fulfilled')])
    expect(refreshes()).toBeGreaterThan(0)
    expect(pages.test.logger.entries.filter(({ event }) => event === 'refresh_token_reused')).toEqual([])
    await third.close()
  })

  it('brings its events to all tabs by one stream, also after the tab that reads the stream closes', async () => {
    await logIn(pages, one)
    await list(other)
    const streams = () => pages.requests.filter((line) => line === 'GET /api/v1/auth/events').length
    const follow = (tab: Page) =>
      tab.evaluate(() => {
        globalThis.told = []
        globalThis.live = sdk.events.liveEvents({
          baseUrl: location.origin,
          accessToken: (options) => client.accessToken(options),
        })
        live.on((event) => void told.push('id' in event ? `${event.id} ${event.status}` : event.type))
      })
    const heard = (tab: Page) => tab.evaluate(() => told)
    const beginnings = async (tab: Page) => (await heard(tab)).filter((event) => event === 'read_again').length
    const ask = (tab: Page) =>
      tab.evaluate(async () => {
        const actionPayload = { amount: 1250, currency: 'EUR', recipient: 'ACME GmbH' }
        return (await client.confirmations.request({ actionType: 'payment_approval', actionPayload })).confirmationId
      })
    const withdraw = (tab: Page, confirmationId: string) =>
      tab.evaluate(async (id) => void (await client.confirmations.withdraw({ confirmationId: id })), confirmationId)

    await follow(one)
    await one.waitForFunction(() => live.isLive())
    await follow(other)
    await other.waitForFunction(async () => (await navigator.locks.query()).pending?.length === 1)
    const id = await ask(one)
    for (const tab of [one, other]) await expect.poll(() => heard(tab)).toContain(`${id} pending`)
    await withdraw(other, id)
    for (const tab of [one, other]) await expect.poll(() => heard(tab)).toContain(`${id} withdrawn`)
    expect(streams()).toBe(1)

    const before = await beginnings(other)
    await one.close()
    await expect.poll(() => beginnings(other)).toBeGreaterThan(before)
    expect(streams()).toBe(2)
    const next = await ask(other)
    await withdraw(other, next)
    await expect.poll(() => heard(other)).toContain(`${next} withdrawn`)
  })

  it.each([
    ['', 0, [LOGOUT]],
    [', also after the access token has expired', hours(9), [LOGOUT, REFRESH, LOGOUT]],
  ])('ends with one request, though five tabs have four listeners each%s', async (_, age, requests) => {
    const email = await logIn(pages, one)
    const more = await Promise.all([1, 2, 3].map(() => pages.openTab()))
    await Promise.all(more.map(begin))
    const tabs = [one, other, ...more]
    const listen = (page: Page) =>
      page.evaluate(async () => {
        for (const name of ['signedIn', 'userChanged', 'notKept'] as const) client.on(name, () => {})
        await client.accessToken()
      })
    await Promise.all(tabs.map(listen))
    pages.test.clock.advance(age)
    pages.requests.length = 0
    await one.evaluate(() => client.auth.logout())
    await Promise.all(tabs.map((tab) => tab.waitForFunction(() => document.title !== '')))
    expect(await Promise.all(tabs.map((tab) => tab.title()))).toEqual(['logout', ...Array(4).fill('elsewhere')])
    await one.waitForFunction(async () => (await navigator.locks.query()).held?.length === 0)
    expect(pages.requests).toEqual(requests)
    expect(await pages.test.countersign.sessions.list({ email })).toEqual([])
    expect(pages.test.logger.entries.filter(({ event }) => event === 'refresh_token_reused')).toEqual([])
    await Promise.all(more.map((tab) => tab.close()))
  })

  it('ends as soon as the network is back, if the logout had none', async () => {
    const email = await logIn(pages, one)
    await list(other)
    await one.context().setOffline(true)
    const code = await one.evaluate(() => client.auth.logout().catch((error: { code: string }) => error.code))
    expect(code).toBe('LOGOUT_PENDING')
    expect(await list(one)).toEqual(['rejected'])
    const sessions = () => pages.test.countersign.sessions.list({ email })
    expect(await sessions()).toHaveLength(1)
    await one.context().setOffline(false)
    await expect.poll(async () => (await sessions()).length).toBe(0)
    await expect.poll(() => one.evaluate(() => sdk.browserTokenStore().endings?.((all) => all))).toEqual([])
  })

  it('ends for a page that comes back from the back/forward cache after a logout elsewhere', async ({ skip }) => {
    const reasons: string[] = []
    const inspector = await other.context().newCDPSession(other)
    inspector.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
      reasons.push(...notRestoredExplanations.map(({ reason }) => reason)),
    )
    await inspector.send('Page.enable')
    await logIn(pages, one)
    await list(other)
    await other.evaluate(() => addEventListener('pageshow', ({ persisted }) => Object.assign(globalThis, { persisted })))
    // Leaves for another origin, because a page that is left for about:blank is not cached.
    await other.goto(`${one.url().replace('localhost', '127.0.0.1')}health`)
    // Without a message to the other tabs, which a cached page does not get.
    await one.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open('countersign-tokens')
          opening.onsuccess = () => {
            const transaction = opening.result.transaction('tokens', 'readwrite')
            transaction.objectStore('tokens').clear()
            transaction.oncomplete = resolve
          }
        }),
    )
    // The page answers before it leaves.
    await other.evaluate(() => void setTimeout(() => history.back()))
    const isBack = () => other.evaluate(() => 'persisted' in globalThis && document.title !== '')
    await expect.poll(async () => reasons.length > 0 || isBack()).toBe(true)
    skip(reasons.includes('BackForwardCacheDisabledForDelegate'), 'this Chromium is a headless shell, which caches no pages')
    expect(await other.evaluate(() => (globalThis as { readonly persisted?: boolean }).persisted)).toBe(true)
    expect(await other.title()).toBe('elsewhere')
  })
})
