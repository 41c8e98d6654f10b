import { readFileSync } from 'node:fs'
import { createTestUser, testPassword } from '@countersign/core/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { addAuthenticator, type VirtualAuthenticator } from '../../../../tools/testing/browser/virtual-authenticator.ts'
import { type ClientPages, openClientPages } from './client-pages.ts'

/** Returns the block of a page that this test runs. */
const blockOf = (page: string, language: string): string => {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8')
  const fence = `\`\`\`${language} by=packages/client-sdk/test/browser/documented-passkeys.test.ts\n`
  return text.split(fence)[1]?.split('\n```')[0] ?? ''
}
const html = blockOf('client.md', 'html')
const js = blockOf('http-authentication.md', 'js')

/** The head of a page around the block of the documents. It loads the bundled client, because the page has no bundler. */
const HEAD = `<!doctype html><title>Sign in</title><link rel="icon" href="data:,">
  <script type="importmap">{ "imports": { "@countersign/client-sdk": "/sdk.js" } }</script>`

describeInBrowser('what pages say of passkeys', () => {
  let pages: ClientPages
  let page: Page
  let authenticator: VirtualAuthenticator
  beforeAll(async () => {
    pages = await openClientPages({ rateLimits: 'off' })
  })
  afterAll(async () => {
    await pages?.close()
  })

  /** Opens a browser whose authenticator has a passkey, and where nobody is signed in. */
  beforeEach(async () => {
    page = await pages.openTab()
    authenticator = await addAuthenticator(page)
    const { email } = await createTestUser(pages.test)
    await page.evaluate(
      async ({ baseUrl, ...login }) => {
        const client = sdk.createClient({ baseUrl })
        await client.auth.login(login)
        await client.passkeys.create({ name: 'This laptop' })
        await client.auth.logout()
      },
      { baseUrl: new URL(page.url()).origin, email, password: testPassword },
    )
  })

  const open = async (): Promise<void> => {
    const url = new URL('/sign-in', page.url()).href
    await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: HEAD + html }))
    await page.goto(url)
  }
  const newest = () => page.evaluate('document.body.lastChild.textContent')

  it('the page about the client signs in from the autofill list', async () => {
    await open()
    await expect.poll(newest).toBe('0 devices')
    expect(pages.watched.complaints).toEqual([])
  })

  it('the page about the client signs in by its button', async () => {
    await authenticator.setPresent(false)
    pages.requests.length = 0
    await open()
    await expect.poll(() => pages.requests.filter((line) => line.endsWith('/webauthn/login/begin')).length).toBe(1)
    await authenticator.setPresent(true)
    await page.getByRole('button').click()
    await expect.poll(newest).toBe('0 devices')
    expect(pages.watched.complaints).toEqual([])
  })

  it('the page about HTTP signs in without the client', async () => {
    const status: unknown = await page.evaluate(`(async () => {
      const headers = { 'Content-Type': 'application/json' }
      const post = (step, body) => fetch('/api/v1/auth/webauthn/login/' + step, { method: 'POST', headers, body })
      const { data } = await (await post('begin', '{}')).json()
      ${js}
      return (await post('finish', body)).status
    })()`)
    expect(status).toBe(200)
  })
})
