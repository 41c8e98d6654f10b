import { afterAll, beforeAll } from 'vitest'
import { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts'
import type { TestStorage } from './test-storages.ts'

/** Opens an app without rate limits before the tests of a suite, and removes its database afterwards. `give` receives the app. */
export const openBeforeAll = (
  open: () => Promise<TestStorage>,
  give: (app: TestApp) => void,
  options: TestAppOptions['options'] = {},
): void => {
  let opened: TestStorage
  beforeAll(async () => {
    opened = await open()
    give(await createTestApp({ storage: opened.storage, options: { rateLimits: 'off', ...options } }))
  })
  afterAll(() => opened.remove())
}
