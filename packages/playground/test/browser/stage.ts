import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, expect, test } from 'vitest'
import { describeInBrowser, openBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import {
  type AuthenticatorOptions,
  addAuthenticator,
  type VirtualAuthenticator,
  withoutAuthenticators,
} from '../../../../tools/testing/browser/virtual-authenticator.ts'
import { type Watched, watchContext } from '../../../../tools/testing/browser/watch-context.ts'
import { openPlayground, type Playground, stopAutofill, type View } from './playground.ts'
import { type PlaygroundServer, startPlaygroundServer } from './playground-server.ts'

export interface OpenOptions {
  readonly view?: View
  /** The browser that opens the page. By default the browser of the stage; another browser means another machine. */
  readonly context?: BrowserContext
  /** The origin of the page, if it is not the origin of the server. */
  readonly origin?: string
}

/** A server, and browsers that show its page. */
export interface Stage {
  readonly server: PlaygroundServer
  /** Opens a browser without stored data. */
  newContext(): Promise<BrowserContext>
  /** Opens the page on a machine without authenticators, without autofill offers. */
  open(options?: OpenOptions): Promise<Playground>
  /** Opens the page on a machine with an authenticator, by default without the phone, which takes long to open. */
  openWith(
    authenticator: AuthenticatorOptions,
    options?: OpenOptions,
  ): Promise<Playground & { readonly authenticator: VirtualAuthenticator }>
}

const TIME = 20_000

/** Closes a browser whose pages may be in the middle of a changed call. */
const leave = async (context: BrowserContext): Promise<void> => {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}

/** One server and one browser for all suites of a worker. Starting both takes longer than a test. */
// biome-ignore lint/correctness/noEmptyPattern: Vitest accepts no other parameter.
const shared = test.extend('machines', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const [server, browser] = await Promise.all([startPlaygroundServer(), openBrowser()])
  onCleanup(async () => void (await Promise.all([server.close(), browser.close()])))
  return { server, browser }
})

/** The errors of the server that a test has already reported. */
const reported = new WeakSet<object>()

/**
 * Defines a suite that uses the page at `/playground` in a real browser with a real server. After each test, the page must not
 * have logged an error or called another server, and the server must not have failed.
 */
export const describeOnStage = (name: string, tests: (stage: Stage) => void): void => {
  describeInBrowser(name, () => {
    let server: PlaygroundServer
    let browser: Browser
    const watched = new Map<BrowserContext, Watched>()
    shared.beforeAll(({ machines }) => {
      ;({ server, browser } = machines)
    })
    afterAll(() => server?.closeFurther())

    const newContext = async (): Promise<BrowserContext> => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 844 } })
      context.setDefaultTimeout(TIME)
      watched.set(context, watchContext(context))
      return context
    }
    const newPage = async (context: BrowserContext): Promise<Page> => {
      const page = await context.newPage()
      await withoutAuthenticators(page)
      return page
    }
    const open = async ({ view, context, origin = server.origin }: OpenOptions = {}): Promise<Playground> => {
      const page = await newPage(context ?? (await newContext()))
      const opened = await openPlayground(page, origin, view)
      if (view !== 'phone') await stopAutofill(opened)
      return opened
    }
    const openWith: Stage['openWith'] = async (authenticator, options) => {
      const opened = await open({ view: 'web', ...options })
      return { ...opened, authenticator: await addAuthenticator(opened.page, authenticator) }
    }

    afterEach(async () => {
      const all = [...watched]
      watched.clear()
      await Promise.all(all.map(([context]) => leave(context)))
      expect(all.flatMap(([, { complaints }]) => complaints)).toEqual([])
      const requestedOrigins = new Set(all.flatMap(([, { requests }]) => requests).map((url) => new URL(url).origin))
      expect([...requestedOrigins].filter((origin) => !server.origins.includes(origin))).toEqual([])
      const errors = server.logged().filter((line) => line.level === 'error' && !reported.has(line))
      for (const error of errors) reported.add(error)
      expect(errors).toEqual([])
    })

    tests({
      get server() {
        return server
      },
      newContext,
      open,
      openWith,
    })
  })
}
