import type { Browser, Page } from 'playwright-core'
import type { LaunchOptions } from '../../../../tools/testing/browser/launch-chromium.ts'
import { openBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { type Watched, watchContext } from '../../../../tools/testing/browser/watch-context.ts'
import type { TestAppOptions } from '../../../server/src/testing/test-app.ts'
import { type ServedClient, serveClient } from './serve-client.ts'

/** A real server, and pages of its origin in a Chromium that contain only the bundled client. */
export interface ClientPages extends ServedClient {
  readonly watched: Watched
  /** Opens another tab of the same browser profile. */
  openTab(): Promise<Page>
}

export const openClientPages = async (options: TestAppOptions['options'] = {}, launch?: LaunchOptions): Promise<ClientPages> => {
  const served = await serveClient(options)
  let browser: Browser | undefined
  const close = async () => {
    await browser?.close()
    await served.close()
  }
  try {
    browser = await openBrowser(launch)
    const context = await browser.newContext()
    const watched = watchContext(context)
    const openTab = async () => {
      const page = await context.newPage()
      await page.goto(served.origin)
      await page.waitForFunction(() => 'sdk' in globalThis)
      return page
    }
    return { ...served, watched, openTab, close }
  } catch (error) {
    await close()
    throw error
  }
}
