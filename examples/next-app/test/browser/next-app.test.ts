import { createServer, type Server } from 'node:http'
import { createClient, keyPairSigner } from '@countersign/client-sdk'
import { createTestUser, type TestCountersign, testPassword } from '@countersign/core/testing'
import { createApp } from '@countersign/server'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { getRequestListener } from '@hono/node-server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, openBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { freePort } from '../../../../tools/testing/free-port.ts'
import { buildNext, type RunningNext, startNext } from './start-next.ts'

const HOUR = 60 * 60_000

describeInBrowser('the shop, built by Next', () => {
  let test: TestCountersign
  let service: Server
  let serviceUrl: string
  let next: RunningNext
  let browser: Browser
  let advanced = 0
  const settings = () => ({ COUNTERSIGN_URL: serviceUrl, SESSION_SECRET: 'a secret of this test, and of nothing else' })

  beforeAll(async () => {
    test = await createTestCountersign({ options: { rateLimits: 'off' } })
    const { fetch } = createApp(test.countersign, { version: '1.0.0' })
    const listener = getRequestListener(fetch)
    const port = await freePort()
    serviceUrl = `http://127.0.0.1:${port}`
    service = createServer((...request) => void listener(...request)).listen(port, '127.0.0.1')
    ;[browser] = await Promise.all([openBrowser(), buildNext()])
    next = await startNext(settings())
  }, 600_000)
  afterAll(async () => {
    await browser?.close()
    await next?.stop()
    service?.closeAllConnections()
    service?.close()
  })

  /** Lets all access tokens end. */
  const expire = async (): Promise<void> => {
    test.clock.advance(8 * HOUR)
    advanced += 8 * HOUR
    await next.advanceTo(advanced)
  }
  const reused = () => test.logger.entries.filter(({ event }) => event === 'refresh_token_reused')

  const signedIn = async (page: Page, email: string): Promise<Page> => {
    await page.goto(next.url)
    await page.getByRole('heading', { name: `Hello, ${email}` }).waitFor()
    return page
  }
  const signIn = async (context: BrowserContext, email: string): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(next.url)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: `Hello, ${email}` }).waitFor()
    return page
  }

  /** Registers a phone of a person. Returns a function that approves everything on it. */
  const registerPhone = async (email: string): Promise<() => Promise<void>> => {
    const keyPair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
    const signer = keyPairSigner({ deviceFingerprint: `phone of ${email}`, keyPair })
    const client = createClient({ baseUrl: serviceUrl })
    await client.auth.login({ email, password: testPassword })
    await client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
    await client.mobile.login({ signer })
    return async () => {
      const { confirmations } = await client.confirmations.pending()
      for (const one of confirmations) await client.confirmations.approve(one, signer)
    }
  }

  it('a person signs in, pays with an approval on the phone, and signs out in every tab', async () => {
    const { email } = await createTestUser(test)
    const context = await browser.newContext()
    const page = await signIn(context, email)
    const cookies = await context.cookies()
    expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([['shop', true, 'Lax']])
    expect(await page.evaluate(() => document.cookie)).toBe('')

    const approve = await registerPhone(email)
    await page.getByLabel('Recipient').fill('Grace')
    await page.getByLabel('Amount').fill('12.50')
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByRole('heading', { name: 'The payment is pending' }).waitFor()
    await approve()
    await page.getByRole('link', { name: 'Approve it' }).click()
    await page.getByRole('heading', { name: 'The payment is approved' }).waitFor()

    const tab = await context.newPage()
    await tab.goto(next.url)
    await tab.getByRole('button', { name: 'Sign out' }).click()
    await tab.getByRole('heading', { name: 'Please sign in' }).waitFor()
    expect(await context.cookies()).toEqual([])
    await page.reload()
    await page.getByRole('link', { name: 'Please sign in' }).waitFor()
    await context.close()
  })

  it('no shared cache keeps the page of a person, or any page that sets the cookie', async () => {
    const { email } = await createTestUser(test)
    const context = await browser.newContext()
    await signIn(context, email)
    const visit = async (path: string) => {
      const answer = await context.request.get(next.url + path)
      const caching = answer.headers()['cache-control']
      return {
        caching,
        setsCookie: answer.headersArray().some(({ name, value }) => /^set-cookie$/i.test(name) && /^shop=e/.test(value)),
      }
    }
    const isPrivate = expect.stringMatching(/^private\b.*\bno-store/)
    for (const path of ['/', '/me']) expect(await visit(path)).toEqual({ caching: isPrivate, setsCookie: false })
    await expire()
    expect(await visit('/terms')).toEqual({ caching: isPrivate, setsCookie: true })
    expect(await visit('/terms')).toEqual({ caching: expect.not.stringMatching('private'), setsCookie: false })
    await context.close()
  })

  it('two tabs and other requests renew 200 times, and nobody is signed out', async () => {
    // A session lasts 30 days, so three people share the renewals.
    const people = await Promise.all([1, 2, 3].map(() => createTestUser(test)))
    const visitors = await Promise.all(
      people.map(async ({ email }) => {
        const context = await browser.newContext()
        return { email, context, tabs: [await signIn(context, email), await signedIn(await context.newPage(), email)] }
      }),
    )
    let renewals = 0
    const visitAll = async ({ email, context, tabs }: (typeof visitors)[number]) => {
      const [before] = await context.cookies()
      const fetched = tabs.map((tab) => tab.evaluate(async () => (await fetch('/me')).text()))
      const rendered = context.request.get(next.url).then((answer) => answer.text())
      expect(await Promise.all(fetched)).toEqual(Array(2).fill(JSON.stringify({ user: { email } })))
      expect(await rendered).toContain(`<h1>Hello, ${email}</h1>`)
      const [after] = await context.cookies()
      renewals += Number(after?.value !== before?.value)
    }
    for (let round = 1; round <= 67; round += 1) {
      await expire()
      await Promise.all(visitors.map(visitAll))
    }
    expect(renewals).toBe(201)
    await expire()
    await Promise.all(visitors.flatMap(({ email, tabs }) => tabs.map((tab) => signedIn(tab, email))))
    expect(reused()).toEqual([])
    await Promise.all(visitors.map(({ context }) => context.close()))
  }, 300_000)

  it('three requests of one page with copies of one cookie stay signed in, when their answers arrive in reverse order', async () => {
    const { email } = await createTestUser(test)
    const context = await browser.newContext()
    await signIn(context, email)
    let [{ value: kept } = { value: '' }] = await context.cookies()
    // The browser would come back with a cookie that others have renewed.
    await context.close()
    for (let round = 0; round < 3; round += 1) {
      await expire()
      const sent = kept
      const answers = await Promise.all([1, 2, 3].map(() => fetch(next.url, { headers: { cookie: `shop=${sent}` } })))
      for (const answer of answers.reverse()) {
        expect(await answer.text()).toContain(`<h1>Hello, ${email}</h1>`)
        kept = answer.headers.getSetCookie().flatMap((line) => /^shop=([^;]+)/.exec(line)?.[1] ?? [])[0] ?? ''
        expect(kept).not.toBe(sent)
      }
    }
    expect(reused()).toEqual([])
  })

  it('a wrong or missing setting ends the start', async () => {
    await expect(startNext({ ...settings(), SESSION_SECRET: 'short' })).rejects.toThrow(/^Next ended with 1: .* secret: must be/)
    await expect(startNext({ SESSION_SECRET: settings().SESSION_SECRET })).rejects.toThrow(/^Next ended with 1: .* baseUrl/)
  })
})
