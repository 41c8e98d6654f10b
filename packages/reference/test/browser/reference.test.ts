import { type OperationName, operations } from '@countersign/contract'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { keepScreenshots } from '../../../../tools/testing/browser/screenshots.ts'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'

/** Leaves one operation in the document, because the page is slow with all of them. */
const shorten = (page: Page, name: OperationName): Promise<unknown> =>
  page.route('**/openapi.json', async (route) => {
    const response = await route.fetch()
    const document = (await response.json()) as { readonly paths: Readonly<Record<string, unknown>> }
    const { path } = operations[name]
    await route.fulfill({ response, json: { ...document, paths: { [path]: document.paths[path] } } })
  })

describeOnStage('the page at /docs', (stage) => {
  it('the page shows every operation, loads nothing from other origins, and respects its Content-Security-Policy', async () => {
    const page = await (await stage.newContext()).newPage()
    await page.goto(`${stage.server.origin}/docs`)
    const summaries = page.locator('.opblock-summary-description')
    await expect.poll(() => summaries.count()).toBe(Object.keys(operations).length)
    expect(new Set(await summaries.allTextContents())).toEqual(new Set(Object.values(operations).map(({ summary }) => summary)))
    await keepScreenshots(page, 'reference')
  })

  it('the page uses the token of a login for its calls, and removes the token on demand', async () => {
    const user = await stage.server.createUser()
    const page = await (await stage.newContext()).newPage()
    await shorten(page, 'devices.list')
    await page.goto(`${stage.server.origin}/docs`)
    const list = page.locator('.opblock').filter({ hasText: operations['devices.list'].summary })
    await list.locator('.opblock-summary-control').click()
    const call = async (): Promise<string> => {
      await list.getByRole('button', { name: 'Execute' }).click()
      return (await list.locator('.live-responses-table .response-col_status').last().textContent()) ?? ''
    }
    const status = page.getByRole('status')
    await page.getByLabel('E-mail').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill('not this one')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect.poll(() => status.textContent()).toBe('Invalid email or password (401)')
    await expect.poll(call).toContain('401')

    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect.poll(() => status.textContent()).toBe(`Signed in as ${user.email}. Calls from this page carry the access token.`)
    await expect.poll(call).toContain('200')
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])

    const token = await list.locator('.curl').textContent()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => status.textContent()).toBe('Signed out.')
    await expect.poll(call).toContain('401')
    const authorization = /Bearer [\w.-]+/.exec(token ?? '')?.[0] ?? ''
    const after = await page.request.get(`${stage.server.origin}/api/v1/auth/devices`, { headers: { authorization } })
    expect(after.status()).toBe(401)
  })

  it('the page offers the demo user if the server has one', async () => {
    const page = await (await stage.newContext()).newPage()
    await shorten(page, 'health.check')
    const demoUser = { email: 'demo@example.test', password: 'known to everybody' }
    await page.route('**/docs/settings.json', (route) => route.fulfill({ json: { demoUser } }))
    await page.goto(`${stage.server.origin}/docs`)
    await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe(demoUser.email)
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(demoUser.password)
  })

  it('the page can call every operation that it shows', async () => {
    const page = await (await stage.newContext()).newPage()
    await shorten(page, 'health.check')
    await page.goto(`${stage.server.origin}/docs`)
    const health = page.locator('.opblock').filter({ hasText: operations['health.check'].summary })
    await health.locator('.opblock-summary-control').click()
    await health.getByRole('button', { name: 'Execute' }).click()
    await expect.poll(() => health.locator('.live-responses-table').first().textContent()).toContain('"status": "healthy"')
  })
})
