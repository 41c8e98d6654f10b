import { setTimeout } from 'node:timers/promises'
import { silentLogger } from '@countersign/core'
import { expect, it, vi } from 'vitest'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { createNodeHandler } from '../src/adapters/node/handler.ts'
import { listen } from '../src/adapters/node/listen.ts'
import { createAppPipeline } from '../src/app.ts'
import { openConnection } from '../src/testing/raw-connection.ts'
import { aPayment, serviceToken, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp } from '../src/testing/test-app.ts'

/** A real server with a request that waits for the decision of a user. */
const waiting = async () => {
  const test = await createTestApp()
  const { user } = await signInWithDevice(test)
  const token = await serviceToken(test)
  const action = { userId: user.id, actionType: 'payment_approval', actionPayload: aPayment } as const
  const { confirmationId } = await test.ask('services.initiate', action, { token })
  const pipeline = createAppPipeline(test.countersign, { version: '1.2.3' })
  const listening = await listen(createNodeHandler(pipeline, silentLogger), { host: '127.0.0.1', port: 0 })
  const connection = await openConnection(listening.url)
  const read = vi.spyOn(test.storage.confirmations, 'byId')
  const head = `Host: x\r\nAuthorization: Bearer ${token}\r\nX-Service-Name: billing\r\n\r\n`
  connection.write(`GET /internal/confirmations/${confirmationId}?wait=20 HTTP/1.1\r\n${head}`)
  await expect.poll(() => read.mock.calls.length).toBeGreaterThan(1)
  expect(connection.received()).toBe('')
  return { pipeline, listening, connection, read }
}

it('a waiting request is answered at the shutdown, and the server closes', async () => {
  const { pipeline, listening, connection } = await waiting()
  const time = startStopwatch()
  pipeline.endWaits()
  await listening.close(8000)
  expect(time()).toBeLessThan(5000)
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 200 [\s\S]*"status":"pending"/)
})

it('a waiting request stops reading the database when its client goes away', async () => {
  const { listening, connection, read } = await waiting()
  connection.socket.resetAndDestroy()
  await connection.closed()
  await setTimeout(100)
  const reads = read.mock.calls.length
  await setTimeout(1500)
  expect(read).toHaveBeenCalledTimes(reads)
  await listening.close(0)
})
