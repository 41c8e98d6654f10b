import { beforeAll, expect, it } from 'vitest'
import { errorBodyOf } from '../../testing/error-body.ts'
import { aPayment, type DeviceUser, serviceToken, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let test: TestApp
let user: DeviceUser
let service: string
beforeAll(async () => {
  test = await createTestApp()
  user = await signInWithDevice(test)
  service = await serviceToken(test)
})

it.each([
  ['POST', '/api/v1/auth/confirmation/initiate'],
  ['POST', '/api/v1/auth/approvals'],
  ['POST', '/internal/confirmations'],
  ['POST', '/internal/confirmations/some-id/redeem'],
  ['POST', '/internal/approvals/some-id/redeem'],
  ['GET', '/internal/verify?scope=acme'],
] as const)('%s %s refuses `scope`, the former name of `tenant`, with an error that names it', async (method, path) => {
  const policy = { permission: 'payment.approve', count: 1 }
  for (const actionType of ['payment_approval', 'registered-type']) {
    const body = { userId: user.user.id, actionType, actionPayload: aPayment, ...policy, scope: 'acme' }
    const token = path.startsWith('/internal') ? service : user.token
    const headers = { 'X-Service-Name': 'billing' }
    const answer = await test.send(method, path, { token, headers, ...(method === 'POST' && { json: body }) })
    expect([answer.status, answer.body]).toEqual([400, errorBodyOf(400, 'scope: is now tenant')])
  }
})
