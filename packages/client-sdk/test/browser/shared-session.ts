import { createTestUser, testPassword } from '@countersign/core/testing'
import type { Page } from 'playwright-core'
import type { ClientPages } from './client-pages.ts'

export const REFRESH = 'POST /api/v1/auth/refresh'

/** Opens a tab without the tokens of earlier tests, which belong to another user. */
const openEmptyTab = async (pages: ClientPages): Promise<Page> => {
  const page = await pages.openTab()
  await page.evaluate(async () => void (await sdk.browserTokenStore().remove()))
  return page
}

/** Creates a client of the shared session in a tab, which records in its title why it is signed out. */
export const begin = (page: Page): Promise<void> =>
  page.evaluate(() => {
    globalThis.client = sdk.createClient({ baseUrl: location.origin, store: sdk.browserTokenStore() })
    document.title = ''
    client.on('signedOut', ({ reason }) => {
      document.title += ` ${reason}`
    })
  })

/** Opens two tabs with a client each, which share a session. Forgets the requests so far. */
export const openTwoTabs = async (pages: ClientPages): Promise<readonly [Page, Page]> => {
  const tabs = [await openEmptyTab(pages), await pages.openTab()] as const
  await Promise.all(tabs.map(begin))
  pages.requests.length = 0
  return tabs
}

/** Lists the devices several times at the same time. Resolves with the status of each call. */
export const list = (page: Page, times = 1): Promise<readonly string[]> =>
  page.evaluate(
    async (count) =>
      (await Promise.allSettled(Array.from({ length: count }, () => client.devices.list()))).map(({ status }) => status),
    times,
  )

/** Logs a new user in. Returns the email. */
export const logIn = async (pages: ClientPages, page: Page): Promise<string> => {
  const { email } = await createTestUser(pages.test)
  await page.evaluate(async (given) => void (await client.auth.login(given)), { email, password: testPassword })
  return email
}

/** Brings the renewal of the stored tokens about. */
export const age = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const store = sdk.browserTokenStore()
    const tokens = await store.get()
    if (tokens) await store.set({ ...tokens, renewAt: 1 })
  })
