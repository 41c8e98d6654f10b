import { createTestUser, testPassword } from '@countersign/core/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { listenFetch } from '../../server/src/testing/listen-fetch.ts'
import { createTestApp } from '../../server/src/testing/test-app.ts'
import { hours } from '../src/testing/clocks.ts'
import { createBrowser } from '../src/testing/rendering-app.ts'
import { startRenderingProcess } from './start-rendering-process.ts'

const ROUNDS = 5

it('two processes of an app renew copies of one cookie at once, and nobody is signed out, also if answers cross', async () => {
  const test = await createTestApp()
  let renewals = 0
  const service = await listenFetch(
    async (request, env) => {
      if (request.url.endsWith('/auth/refresh')) {
        renewals += 1
        // A process sends one renewal at a time, so the answers wait until both processes have sent theirs.
        await vi.waitFor(() => expect(renewals).toBeGreaterThanOrEqual(2), { timeout: 20_000 })
      }
      return test.app.fetch(request, env)
    },
    { host: '127.0.0.1', port: 0 },
  )
  onTestFinished(() => service.close(1000))
  const { email } = await createTestUser(test)
  const processes = await Promise.all([startRenderingProcess(service.url), startRenderingProcess(service.url)])
  const browsers = processes.map(({ url }) => createBrowser(url))
  const [one, other] = browsers
  if (!one || !other) throw new Error('There are two')
  await one.visit('/login', { email, password: testPassword })
  for (const [name, value] of one.jar) other.jar.set(name, value)
  for (let round = 1; round <= ROUNDS; round += 1) {
    renewals = 0
    test.clock.advance(hours(8))
    await Promise.all(processes.map((process) => process.advanceTo(hours(8 * round))))
    const answers = await Promise.all([one, other, one, other].map((browser) => browser.send('/user')))
    for (const { body } of answers) expect(body).toMatchObject({ user: { user: { email } } })
    expect(renewals).toBeGreaterThanOrEqual(2)
    // The answers cross, so at the next renewal each process has a cookie that the other process never saw.
    answers[0]?.receive()
    answers[1]?.receive()
  }
  expect(test.logger.entries.filter(({ event }) => event === 'refresh_token_reused')).toEqual([])
})
