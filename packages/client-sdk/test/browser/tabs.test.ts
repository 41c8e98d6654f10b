import { createTestUser, testPassword } from '@countersign/core/testing'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { type ClientPages, openClientPages } from './client-pages.ts'
import { begin, list, logIn, openTwoTabs, REFRESH } from './shared-session.ts'

describeInBrowser('two tabs', () => {
  let pages: ClientPages
  let one: Page
  let other: Page
  beforeAll(async () => {
    pages = await openClientPages({ rateLimits: 'off' })
  })
  afterAll(() => pages?.close())

  beforeEach(async () => {
    ;[one, other] = await openTwoTabs(pages)
  })
  afterEach(async () => {
    await one.close()
    await other.close()
  })

  it('share one session', async () => {
    await logIn(pages, one)
    expect(await list(other)).toEqual(['fulfilled'])
  })

  it('notice when another user signs in, and the tab of the first user never acts as the second', async () => {
    await logIn(pages, one)
    await list(other)
    await other.evaluate(() => {
      document.title = ''
      client.on('userChanged', ({ userId }) => {
        document.title += ` changed to ${userId}`
      })
    })
    const { email, id } = await createTestUser(pages.test)
    await one.evaluate(async (given) => void (await client.auth.login(given)), { email, password: testPassword })
    await other.waitForFunction(() => document.title !== '')
    pages.requests.length = 0
    expect(await list(other)).toEqual(['rejected'])
    expect(pages.requests).toEqual([])
    expect(await other.title()).toBe(`changed to ${id}`)
    expect(await list(one)).toEqual(['fulfilled'])
    await other.reload()
    await other.waitForFunction(() => 'sdk' in globalThis)
    await begin(other)
    expect(await list(other)).toEqual(['fulfilled'])
  })

  it('learn of a sign-in in the other tab', async () => {
    await list(other)
    await other.evaluate(() => {
      client.on('signedIn', ({ userId }) => {
        document.title = `signed in ${userId}`
      })
    })
    await logIn(pages, one)
    await other.waitForFunction(() => document.title !== '')
    expect(await other.title()).toMatch(/^signed in \d+$/)
    expect(await list(other)).toEqual(['fulfilled'])
  })

  it('each report once that the service ended the session', async () => {
    const email = await logIn(pages, one)
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
    await logIn(pages, one)
    await one.reload()
    await one.waitForFunction(() => 'sdk' in globalThis)
    await begin(one)
    expect(await list(one)).toEqual(['fulfilled'])
  })

  it('log no errors to the console', () => {
    expect(pages.watched.complaints).toEqual([])
  })
})
