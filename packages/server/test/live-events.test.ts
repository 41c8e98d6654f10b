import { expect, it, onTestFinished } from 'vitest'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { startRealServer } from '../src/testing/real-server.ts'
import { initiatePayment, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp } from '../src/testing/test-app.ts'
import { sharedDatabases } from './shared-databases.ts'

it.each(sharedDatabases)(
  'a stream on $name reports the events of another server, and ends after a logout there',
  async ({ open }) => {
    const storages = await open()
    onTestFinished(storages.close)
    const one = await createTestApp({ storage: storages.one })
    const { jwtKeys, encryptionKeys, clock } = one
    const other = await createTestApp({ storage: storages.other, jwtKeys, encryptionKeys, clock })
    const user = await signInWithDevice(one)
    // A change that was made before the feed listens is not sent; the client gets `read_again` instead.
    const hits = async () => {
      await other.call('internal.verify', { serviceName: 'billing' }, { token: user.token })
      return storages.other.statistics().sessionCache.hits
    }
    await expect.poll(hits).toBeGreaterThan(0)
    const server = await startRealServer(other)
    onTestFinished(() => server.close(0))
    const headers = { authorization: `Bearer ${user.token}` }
    const response = await fetch(`${server.url}/api/v1/auth/events`, { headers })
    let text = ''
    let hasEnded = false
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder()
      for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) text += decoder.decode(piece)
      hasEnded = true
    }
    read().catch(() => {})
    const { confirmationId } = await initiatePayment(one, user.token)
    const expectTold = (status: string) => expect.poll(() => text).toContain(`{"id":"${confirmationId}","status":"${status}"}`)
    await expectTold('pending')
    await one.call('confirmations.withdraw', { confirmationId }, { token: user.token })
    await expectTold('withdrawn')
    await one.call('auth.logout', { refreshToken: user.tokens.refreshToken }, { token: user.token })
    const time = startStopwatch()
    await expect.poll(() => hasEnded, { interval: 10 }).toBe(true)
    expect(time()).toBeLessThan(1000)
  },
)
