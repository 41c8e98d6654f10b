import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeInBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { slimOperations } from '../../slim-operations.ts'
import { createClient } from '../../src/index.ts'
import { type ClientPages, openClientPages } from './client-pages.ts'

const SHELL = `<!doctype html><title>Hooks</title><link rel="icon" href="data:,"><script type="module">
  globalThis.sdk = await import('/sdk.js')
  await import('/app.js')</script><body>`

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The block of the page on React that this test runs. */
const fence = '```tsx by=packages/client-sdk/test/browser/react.test.ts\n'
const documented = readFileSync(here('../../../../docs/client-react.md'), 'utf8').split(fence)[1]?.split('\n```')[0] ?? ''
const shown = `import { createElement } from 'react'; import { createRoot } from 'react-dom/client'; ${documented}
  createRoot(document.body).render(createElement(App))`

/** Bundles a page as an app does, with the development build of React, in which StrictMode mounts everything twice. */
const bundlePage = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, loader: 'tsx', resolveDir: here('.') },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    conditions: ['@countersign/source'],
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [slimOperations],
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

const aPayment = { actionType: 'payment_approval', actionPayload: { amount: 1, currency: 'EUR', recipient: 'Ada' } } as const

describeInBrowser('the hooks for React', () => {
  let pages: ClientPages
  let page: Page
  let email: string
  beforeAll(async () => {
    const approvalPolicies = { payment_approval: { permission: 'payment.approve', count: 1 } } as const
    pages = await openClientPages({ rateLimits: 'off', approvalPolicies })
    pages.files.set('/app', ['text/html', SHELL])
    pages.files.set('/app.js', ['text/javascript', await bundlePage(readFileSync(here('react-page.tsx'), 'utf8'))])
    pages.files.set('/documented', [
      'text/html',
      `<!doctype html><title>Pay</title><link rel="icon" href="data:,"><body><script type="module" src="/shown.js"></script>`,
    ])
    pages.files.set('/shown.js', ['text/javascript', await bundlePage(shown)])
  })
  afterAll(() => pages?.close())

  const open = async (search = ''): Promise<Page> => {
    const opened = await pages.openTab()
    await opened.goto(`${pages.origin}/app${search}`)
    await opened.waitForFunction(() => 'client' in globalThis)
    return opened
  }
  const logIn = (where: Page, person: string) =>
    where.evaluate(async (given) => void (await client.auth.login(given)), { email: person, password: testPassword })
  const text = (id: string, where = page) => expect.poll(async () => (await where.locator(`#${id}`).textContent())?.trim())

  beforeEach(async () => {
    page = await open()
    await page.evaluate(async () => void (await client.auth.logout()))
    email = (await createTestUser(pages.test)).email
  })

  it('show who is signed in, after a login, a sign-out and the login of another person', async () => {
    await text('session').toBe('signedOut')
    await text('waiting').toBe('nobody')
    pages.requests.length = 0
    await logIn(page, email)
    await text('session').toBe(`signedIn ${email}`)
    await text('waiting').toBe(email)
    await text('devices').toBe('0')
    expect(pages.requests.filter((line) => line === 'GET /api/v1/auth/me')).toHaveLength(1)
    await page.evaluate(async () => void (await client.auth.logout()))
    await text('session').toBe('signedOut')
    const other = await createTestUser(pages.test)
    await logIn(page, other.email)
    await text('session').toBe(`signedIn ${other.email}`)
  })

  it('show the login and the sign-out of another tab, and keep the session over a reload', async () => {
    const second = await open()
    await text('session', second).toBe('signedOut')
    await logIn(page, email)
    await text('session', second).toBe(`signedIn ${email}`)
    await second.reload()
    await text('waiting', second).toBe(email)
    await page.evaluate(async () => void (await client.auth.logout()))
    await text('session', second).toBe('signedOut')
    await second.close()
  })

  it('suspend until it is known who is signed in', async () => {
    await logIn(page, email)
    await text('session').toBe(`signedIn ${email}`)
    const held = Promise.withResolvers<void>()
    await page.route('**/api/v1/auth/me', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload()
    await text('waiting').toBe('please wait')
    await text('session').toBe('loading')
    held.resolve()
    await text('waiting').toBe(email)
  })

  it.each(['', '?polling'])('show how a confirmation is decided, without a reload%s', async (search) => {
    page = await open(search)
    await logIn(page, email)
    const id = await page.evaluate(async (what) => (await client.confirmations.initiate(what)).confirmationId, aPayment)
    await page.evaluate((asked) => {
      location.hash = asked
    }, id)
    await text('asked').toBe('pending')
    const another = await open()
    await another.evaluate(async (asked) => void (await client.confirmations.reject(asked)), id)
    await expect.poll(async () => (await page.locator('#asked').textContent())?.trim(), { timeout: 15_000 }).toBe('rejected')
    await another.close()
  })

  it('show a request to several people, and the inbox of the phone that is asked', async () => {
    const approver = await createTestUser(pages.test, { permissions: ['payment.approve'] })
    await logIn(page, approver.email)
    await text('inbox').toBe('Insufficient trust level')
    await page.evaluate(async () => {
      const signer = await sdk.webCryptoSigner()
      await client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
      await client.mobile.login({ signer })
    })
    await text('inbox').toBe('')
    const requester = createClient({ baseUrl: pages.origin })
    await requester.auth.login({ email, password: testPassword })
    const { approvalId } = await requester.approvalRequests.start(aPayment)
    await text('inbox').toBe('payment_approval')
    await page.evaluate((asked) => {
      location.hash = asked
    }, approvalId)
    await text('asked').toBe('pending 0')
    await page.evaluate(async () => {
      const [one] = (await client.confirmations.pending()).confirmations
      if (one) await client.confirmations.approve(one, await sdk.webCryptoSigner())
    })
    await text('asked').toBe('approved 1')
    await text('inbox').toBe('')
  })

  it('make the page that the documents show', async () => {
    await page.goto(`${pages.origin}/documented`)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(testPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: email }).waitFor()
    const answered = page.waitForResponse('**/confirmation/initiate')
    await page.getByRole('button', { name: 'Pay' }).click()
    const { data } = (await (await answered).json()) as { readonly data: { readonly confirmationId: string } }
    await page.getByRole('status').getByText('pending').waitFor()
    const other = createClient({ baseUrl: pages.origin })
    await other.auth.login({ email, password: testPassword })
    await other.confirmations.reject(data.confirmationId)
    await page.getByRole('status').getByText('rejected').waitFor()
  })
})
