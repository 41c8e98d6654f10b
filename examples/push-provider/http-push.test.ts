import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { registerTestDevice } from '@countersign/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ada, bearer, logIn, postJson, type Send } from '../testing/describe-host.ts'
import { createWorkplace, type RunningExample, startExample, type Workplace } from '../testing/start-example.ts'

const received: { readonly headers: IncomingHttpHeaders; readonly body: unknown }[] = []
let status = 204
const endpoint = createServer((request, response) => {
  text(request).then(
    (body) => {
      received.push({ headers: request.headers, body: JSON.parse(body) })
      response.writeHead(status).end()
    },
    // The example may stop while it sends.
    () => {},
  )
})

let workplace: Workplace
let example: RunningExample
beforeAll(async () => {
  endpoint.listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  workplace = createWorkplace()
  await workplace.withCountersign(async (countersign) => {
    await countersign.users.create(ada)
    const { accessToken } = await countersign.auth.login(ada)
    const caller = await countersign.auth.authenticate({ token: accessToken })
    await registerTestDevice({ countersign }, caller, { pushToken: 'the token of a phone' })
  })
  const env = { PUSH_URL: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/push`, PUSH_KEY: 'the key of the host' }
  example = await startExample('push-provider/server.ts', { ...workplace, env: { ...workplace.env, ...env } })
})
afterAll(async () => {
  await example?.stop()
  endpoint.close()
  workplace.remove()
})

const send: Send = (path, init) => fetch(new URL(path, example.url), init)

const askForPayment = async (): Promise<string> => {
  const body = postJson({ actionType: 'payment_approval', actionPayload: { amount: 1250, currency: 'EUR', recipient: 'Ada' } })
  const headers = { ...body.headers, ...bearer(await logIn(send)).headers }
  const answer = await send('/api/v1/auth/confirmation/initiate', { ...body, headers })
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as { data: { confirmationId: string } }
  return data.confirmationId
}

const patience = { timeout: 60_000 }

it('the provider notifies the phone without the content of the confirmation', patience, async () => {
  const confirmationId = await askForPayment()
  await expect.poll(() => received).toHaveLength(1)
  expect(received[0]?.headers.authorization).toBe('Bearer the key of the host')
  expect(received[0]?.body).toStrictEqual({
    to: 'the token of a phone',
    title: 'A payment waits for your approval',
    data: { confirmationId },
    expiresAt: expect.any(Number),
  })
})

it('a failing endpoint fails no request, and the health check reports the failure', patience, async () => {
  status = 503
  await askForPayment()
  const pushHealth = async () => ((await (await send('/health')).json()) as { services: Record<string, unknown> }).services
  await expect.poll(pushHealth, { interval: 500 }).toMatchObject({ push_provider: 'unhealthy' })
})
