import { createClient } from '@countersign/client-sdk'
import { type CountersignError, createServiceClient, type ServiceOptions } from '@countersign/client-sdk/verifier'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  APPROVES,
  aPayment,
  approvePayment,
  approvePending,
  type DeviceUser,
  serviceToken,
  signInWithDevice,
  startRequest,
} from '../../server/src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../server/src/testing/test-app.ts'

let test: TestApp
let user: DeviceUser
beforeEach(async () => {
  test = await createTestApp()
  user = await signInWithDevice(test)
})

/** A client of the service `billing`, and its requests. */
const clientOf = async (options: Partial<ServiceOptions> = {}) => {
  const fetch = vi.fn<typeof globalThis.fetch>(async (input, init) => test.app.fetch(new Request(input, init), {}))
  const token = await serviceToken(test)
  const client = createServiceClient({ baseUrl: 'http://countersign.test', serviceName: 'billing', token, fetch, ...options })
  return { client, fetch, token }
}

/** Returns the id of the confirmation that a receipt is about. */
const confirmationOf = (receipt: string): unknown =>
  JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()).jti

const action = () => ({ userId: user.user.id, actionType: 'payment_approval', actionPayload: aPayment }) as const

const approve = async (confirmationId: string) => {
  const { confirmations } = await test.ask('confirmations.pending', {}, { token: user.deviceToken })
  const signedChallenge = user.signer.sign(confirmations[0]?.challenge ?? '')
  await test.ask(
    'confirmations.verify',
    { confirmationId, deviceId: user.device.id, signedChallenge },
    { token: user.deviceToken },
  )
}

describe('the client of a service', () => {
  it('asks a user, waits for the decision, and redeems the approval', async () => {
    const { client } = await clientOf()
    const { confirmationId } = await client.initiate(action())
    expect(await client.confirmation({ confirmationId })).toMatchObject({ status: 'pending', actionPayload: aPayment })
    const settled = client.settled(confirmationId)
    await approve(confirmationId)
    expect(await settled).toMatchObject({ status: 'approved' })
    const { receipt } = await client.redeem({ confirmationId, ...action() })
    expect(confirmationOf(receipt)).toBe(confirmationId)
    expect(confirmationOf((await client.receipt({ confirmationId })).receipt)).toBe(confirmationId)
    const again = client.redeem({ confirmationId, ...action() })
    await expect(again).rejects.toMatchObject({ serviceCode: 'confirmation_consumed', status: 410 })
  })

  it('opens a session for a user whom the service has signed in, which the page of the user adopts', async () => {
    const { client } = await clientOf()
    const signedInAt = new Date(test.clock.now()).toISOString()
    const tokens = await client.openSession({ user: { id: user.user.id }, signedInAt, method: 'oidc', address: '198.51.100.7' })
    const page = createClient({ baseUrl: 'http://countersign.test', fetch: async (request) => test.app.fetch(request) })
    await page.adopt(tokens)
    const { sessions } = await page.sessions.list()
    const current = sessions.find((session) => session.current)
    expect(current).toMatchObject({ id: tokens.sessionId, hostSignIn: { method: 'oidc', signedInAt, openedBy: 'billing' } })
    const unknown = client.openSession({ user: { directoryId: 'nobody' }, signedInAt, method: 'oidc' })
    await expect(unknown).rejects.toMatchObject({ serviceCode: 'user_not_found', status: 404 })
  })

  it('reads an approval request, and redeems it once under the policy that it states', async () => {
    const { client } = await clientOf()
    const { approvalId, approvers } = await startRequest(test, user.token)
    const ids: string[] = []
    for (const approver of approvers) ids.push(await approvePending(test, approver))
    expect(await client.approval({ approvalId })).toMatchObject({ status: 'approved', approvals: 2, count: 2 })
    const { userId: _, ...asked } = action()
    const redemption = { approvalId, ...asked, permission: APPROVES, count: 2 }
    const weaker = client.redeemApproval({ ...redemption, count: 1 })
    await expect(weaker).rejects.toMatchObject({ serviceCode: 'other_policy', status: 409 })
    const { receipts } = await client.redeemApproval({ ...redemption, idempotencyKey: 'one' })
    expect(new Set(receipts.map(confirmationOf))).toEqual(new Set(ids))
    expect((await client.redeemApproval({ ...redemption, idempotencyKey: 'one' })).receipts).toEqual(receipts)
    const again = client.redeemApproval({ ...redemption, idempotencyKey: 'two' })
    await expect(again).rejects.toMatchObject({ serviceCode: 'approval_redeemed', status: 410 })
  })

  it('asks for the decision again after a second, also if the clock was set back meanwhile', async () => {
    vi.useFakeTimers()
    try {
      const looks: number[] = []
      const fetch: typeof globalThis.fetch = async () => {
        looks.push(performance.now())
        vi.setSystemTime(Date.now() - 3_600_000)
        return Response.json({ data: { status: looks.length === 1 ? 'pending' : 'approved' } })
      }
      const service = { baseUrl: 'http://countersign.test', serviceName: 'billing', token: 'a.b.c', fetch }
      const settled = createServiceClient(service).settled('conf_1')
      await vi.advanceTimersByTimeAsync(2000)
      expect(looks).toHaveLength(2)
      expect((looks[1] ?? 0) - (looks[0] ?? 0)).toBe(1000)
      expect(await settled).toMatchObject({ status: 'approved' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('stops waiting when the signal aborts', async () => {
    const { client } = await clientOf()
    const { confirmationId } = await client.initiate(action())
    const controller = new AbortController()
    const settled = client.settled(confirmationId, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(settled).rejects.toThrow('enough')
  })

  it('repeats a redemption whose response was lost only if the redemption has an idempotency key', async () => {
    const confirmationId = await approvePayment(test, user)
    let lost = 1
    const { client } = await clientOf({
      fetch: async (input, init) => {
        const answer = await test.app.fetch(new Request(input, init), {})
        lost -= 1
        if (lost >= 0) throw new TypeError('connection reset')
        return answer
      },
    })
    expect(await client.redeem({ confirmationId, ...action(), idempotencyKey: 'transfer-1' })).toMatchObject({ confirmationId })
    lost = 1
    const other = await approvePayment(test, user)
    await expect(client.redeem({ confirmationId: other, ...action() })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })

  it('asks the given function for the current token at each call, and rejects with UNAUTHORIZED for a wrong token', async () => {
    const tokens = [await serviceToken(test), 'a.b.c']
    const { client } = await clientOf({ token: () => tokens.shift() ?? '' })
    await client.initiate(action())
    await expect(client.initiate(action())).rejects.toMatchObject({ serviceCode: 'invalid_access_token', code: 'UNAUTHORIZED' })
  })

  it('never shows the token in an error', async () => {
    const { client, token } = await clientOf({ fetch: () => Promise.reject(new Error('secret cause')) })
    const error = (await client.initiate(action()).catch((reason: unknown) => reason)) as CountersignError
    expect(error.code).toBe('NETWORK_ERROR')
    expect([error.message, String(error.cause), error.stack].join()).not.toMatch(/secret cause/)
    expect(JSON.stringify(error)).not.toContain(token)
  })

  it.each([new Response('<html>'), Response.json({}), Response.json({ data: null })])(
    'does not mistake another answer for an output',
    async (answer) => {
      const { client } = await clientOf({ fetch: async () => answer })
      await expect(client.initiate(action())).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' })
    },
  )

  it('follows no redirect', async () => {
    const { client, fetch } = await clientOf()
    await client.initiate(action())
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ redirect: 'manual', cache: 'no-store' })
  })
})
