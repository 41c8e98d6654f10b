import { createTestUser, testPassword } from '@countersign/core/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ClientPages, openClientPages } from '../../../../packages/client-sdk/test/browser/client-pages.ts'
import { describeInBrowser } from '../../../testing/browser/open-browser.ts'
import { addAuthenticator, type VirtualAuthenticator } from '../../../testing/browser/virtual-authenticator.ts'
import { blocksOfTest } from '../../blocks-of-test.ts'
import type { Block } from '../../page.ts'

const blocks = blocksOfTest(import.meta.filename)
const inLanguage = (wanted: string): Block => {
  const found = blocks.find(({ language }) => language === wanted)
  if (found === undefined) throw new Error(`No block is ${wanted}`)
  return found
}
const html = inLanguage('html')
const js = inLanguage('js')

const PATH = '/sign-in'
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
    const url = new URL(PATH, page.url()).href
    await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: HEAD + html.text }))
    await page.goto(url)
  }
  const newest = () => page.evaluate('document.body.lastChild.textContent')

  it(`${html.at} signs in from the autofill list`, async () => {
    await open()
    await expect.poll(newest).toBe('0 devices')
    expect(pages.watched.complaints).toEqual([])
  })

  it(`${html.at} signs in by its button`, async () => {
    await authenticator.setPresent(false)
    pages.requests.length = 0
    await open()
    await expect.poll(() => pages.requests.filter((line) => line.endsWith('/webauthn/login/begin')).length).toBe(1)
    await authenticator.setPresent(true)
    await page.getByRole('button').click()
    await expect.poll(newest).toBe('0 devices')
    expect(pages.watched.complaints).toEqual([])
  })

  it(`${js.at} signs in without the client`, async () => {
    const status: unknown = await page.evaluate(`(async () => {
      const headers = { 'Content-Type': 'application/json' }
      const post = (step, body) => fetch('/api/v1/auth/webauthn/login/' + step, { method: 'POST', headers, body })
      const { data } = await (await post('begin', '{}')).json()
      ${js.text}
      return (await post('finish', body)).status
    })()`)
    expect(status).toBe(200)
  })
})
