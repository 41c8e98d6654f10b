import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterAll, beforeAll, expect } from 'vitest'
import { describeEngine } from '../../../../../tools/testing/engines/describe-engine.ts'
import type { Engine, EngineOptions, Tab } from '../../../../../tools/testing/engines/engine.ts'
import { type EngineName, startEngine } from '../../../../../tools/testing/engines/start-engine.ts'
import { type ServedClient, serveClient } from '../serve-client.ts'

/** A real server, and a browser of any engine that shows its pages. */
export interface EnginePages extends ServedClient {
  /** Opens a tab with the bundled client in it. */
  openTab(): Promise<Tab>
}

/** Describes what pages do in an engine, which starts once for all of them. */
export const describeInEngine = (
  name: EngineName,
  walks: readonly ((pages: () => EnginePages) => void)[],
  options: EngineOptions = {},
): void => {
  describeEngine(name, `in ${name}${options.blocksData ? ', whose settings forbid pages to store data,' : ''}`, () => {
    let served: ServedClient | undefined
    let engine: Engine | undefined
    beforeAll(async () => {
      ;[served, engine] = await Promise.all([serveClient({ rateLimits: 'off' }), startEngine(name, options)])
    })
    afterAll(async () => {
      await engine?.close()
      await served?.close()
    })
    const pages = (): EnginePages => {
      if (served === undefined || engine === undefined) throw new Error('The browser has not started')
      const { origin } = served
      const { openTab } = engine
      return {
        ...served,
        openTab: async () => {
          const tab = await openTab()
          await tab.goto(origin)
          await loaded(tab)
          return tab
        },
      }
    }
    for (const walk of walks) walk(pages)
  })
}

/** Waits until the page of a tab has loaded the client. */
export const loaded = async (tab: Tab): Promise<void> => {
  await expect.poll(() => tab.evaluate(() => 'sdk' in globalThis).catch(() => false)).toBe(true)
}

export const titleOf = (tab: Tab): Promise<string> => tab.evaluate(() => document.title)

export const REFRESH = 'POST /api/v1/auth/refresh'

/** Creates a client of the shared session in a tab, which records in its title who is signed in, or why nobody is. */
export const begin = (tab: Tab): Promise<void> =>
  tab.evaluate(() => {
    globalThis.client = sdk.createClient({ baseUrl: location.origin, store: sdk.browserTokenStore() })
    document.title = ''
    client.on('signedOut', ({ reason }) => {
      document.title += ` ${reason}`
    })
    client.on('userChanged', ({ userId }) => {
      document.title += ` changed to ${userId}`
    })
    client.on('notKept', () => {
      document.title += ' not kept'
    })
  })

/** Lists the devices several times at the same time. Resolves with the errors of the calls, and `fulfilled` if there was none. */
export const list = (tab: Tab, times = 1): Promise<readonly string[]> =>
  tab.evaluate(
    (count) =>
      Promise.all(
        Array.from({ length: count }, () =>
          client.devices.list().then(
            () => 'fulfilled',
            (error: { code: string }) => error.code,
          ),
        ),
      ),
    times,
  )

/** Logs a new user in. */
export const logIn = async (pages: EnginePages, tab: Tab) => {
  const user = await createTestUser(pages.test)
  const given = { email: user.email, password: testPassword }
  await tab.evaluate(async (credentials) => void (await client.auth.login(credentials)), given)
  return user
}

/** Brings the renewal of the stored tokens about. */
export const age = (tab: Tab): Promise<void> =>
  tab.evaluate(async () => {
    const store = sdk.browserTokenStore()
    const tokens = await store.get()
    if (tokens) await store.set({ ...tokens, renewAt: 1 })
  })
