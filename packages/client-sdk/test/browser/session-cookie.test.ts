import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, openBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { startRenderingApp } from '../../src/testing/rendering-app.ts'

describeInBrowser('the session cookie of an app that renders on its server', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  type App = Awaited<ReturnType<typeof startRenderingApp>>

  /** Opens a page of the app, and posts from it as a script of the page does. */
  const openTab = async (context: BrowserContext, { url }: App) => {
    const page = await context.newPage()
    await page.goto(`${url}/user`)
    return page
  }
  const post = (page: Page, path: string, body: object): Promise<unknown> =>
    page.evaluate(async ([to, content]) => (await fetch(to, { method: 'POST', body: content })).json() as Promise<unknown>, [
      path,
      JSON.stringify(body),
    ] as const)
  const shown = async (page: Page): Promise<unknown> => {
    await page.reload()
    return JSON.parse((await page.textContent('body')) ?? '')
  }

  it('with 200 permissions is kept in parts, which no script reads, and two tabs share it until one signs out', async () => {
    const app = await startRenderingApp(Array.from({ length: 200 }, (_, index) => `area_${index}.approve`))
    const context = await browser.newContext()
    const [one, other] = [await openTab(context, app), await openTab(context, app)]
    await post(one, '/login', app.login)
    expect((await context.cookies()).map(({ name, httpOnly }) => [name, httpOnly])).toEqual([
      ['countersign-0', true],
      ['countersign-1', true],
      ['countersign-2', true],
    ])
    expect(await one.evaluate(() => document.cookie)).toBe('')
    expect(await shown(other)).toMatchObject({ user: { user: { email: app.user.email } } })

    await post(other, '/logout', {})
    expect(await context.cookies()).toEqual([])
    expect(await shown(one)).toMatchObject({ user: null })
    await context.close()
  })

  it('is of no use to a page of another origin', async () => {
    const app = await startRenderingApp()
    const foreign = await startRenderingApp([], { cookieName: 'foreign' })
    const context = await browser.newContext()
    const page = await openTab(context, app)
    await post(page, '/login', app.login)
    // Another port is the same site, so the browser sends the cookie.
    const evil = await openTab(context, foreign)
    await evil.setContent(`<form method="post" action="${app.url}/logout"><button>Win a prize</button></form>`)
    await evil.getByRole('button').click()
    await evil.waitForURL(`${app.url}/logout`)
    expect(await shown(page)).toMatchObject({ user: { user: { email: app.user.email } } })
    await context.close()
  })
})
