import { createServiceClient, type RequireApprovalOptions, requireApproval } from '@countersign/client-sdk/verifier'
import { beforeEach, describe, expect, it } from 'vitest'
import { aPayment, type DeviceUser, serviceToken, signInWithDevice } from '../../server/src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../server/src/testing/test-app.ts'

let test: TestApp
let user: DeviceUser
let sent: string[]
beforeEach(async () => {
  test = await createTestApp()
  user = await signInWithDevice(test)
  sent = []
})

const action = () => ({ userId: user.user.id, actionType: 'payment_approval', actionPayload: { ...aPayment } }) as const

const decide = async (confirmationId: string, what: 'approve' | 'reject'): Promise<void> => {
  const token = { token: user.deviceToken }
  if (what === 'reject') return void (await test.ask('confirmations.reject', { confirmationId }, token))
  const { confirmations } = await test.ask('confirmations.pending', {}, token)
  const signedChallenge = user.signer.sign(confirmations[0]?.challenge ?? '')
  await test.ask('confirmations.verify', { confirmationId, deviceId: user.device.id, signedChallenge }, token)
}

const clientWith = async (answer?: (request: Request) => Response | undefined) => {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    sent.push(`${request.method} ${new URL(request.url).pathname.split('/').at(-1)}`)
    return answer?.(request) ?? test.app.fetch(request, {})
  }
  const token = await serviceToken(test)
  return createServiceClient({ baseUrl: 'http://countersign.test', serviceName: 'billing', token, fetch })
}

const require = async (options: RequireApprovalOptions = {}) => requireApproval(await clientWith(), action(), options)
const approving: RequireApprovalOptions = { onRequested: ({ confirmationId }) => decide(confirmationId, 'approve') }
const redeemed = () => sent.filter((one) => one === 'POST redeem').length
const keys = async () => (await test.send('GET', '/.well-known/countersign/receipt-keys')).body as { keys: JsonWebKey[] }

describe('an approval that a service requires', () => {
  it('is requested, awaited and used once', async () => {
    const used = await require(approving)
    expect(used).toMatchObject({ confirmationId: expect.stringMatching(/^conf_/), verified: undefined })
    expect(used.receipt).toMatch(/^eyJ/)
    expect(redeemed()).toBe(1)
  })

  it('comes with a verified receipt if the service has the keys', async () => {
    const { verified } = await require({ ...approving, receipts: { keys: (await keys()) as never } })
    expect(verified).toMatchObject({ verdict: 'genuine', statement: { actionPayload: aPayment, subject: { id: user.user.id } } })
  })

  it('is refused if the receipt is not by a known key', async () => {
    const required = require({ ...approving, receipts: { keys: { keys: [] } } })
    await expect(required).rejects.toMatchObject({ code: 'RECEIPT_REFUSED' })
  })

  it('is refused if the receipt is of another action', async () => {
    const first = await require(approving)
    const client = await clientWith((request) =>
      request.url.endsWith('/redeem') ? Response.json({ data: { ...first, confirmationId: sentId } }) : undefined,
    )
    let sentId = ''
    const onRequested = async ({ confirmationId }: { readonly confirmationId: string }) => {
      sentId = confirmationId
      await decide(confirmationId, 'approve')
    }
    const receipts = { keys: (await keys()) as never }
    const required = requireApproval(client, action(), { onRequested, receipts })
    await expect(required).rejects.toMatchObject({ code: 'RECEIPT_REFUSED' })
  })

  it('is refused if the user rejects, and nothing is used', async () => {
    const required = require({ onRequested: ({ confirmationId }) => decide(confirmationId, 'reject') })
    await expect(required).rejects.toMatchObject({ code: 'CONFIRMATION_REJECTED' })
    expect(redeemed()).toBe(0)
  })

  it('is refused if the confirmation expires', async () => {
    const required = require({ onRequested: () => test.clock.advance(5 * 60_000) })
    await expect(required).rejects.toMatchObject({ code: 'CONFIRMATION_EXPIRED' })
    expect(redeemed()).toBe(0)
  })

  it('ends at its time limit and with its signal, uses nothing, and the phone stops asking', async () => {
    const pending = async () =>
      (await test.ask('confirmations.pending', {}, { token: user.deviceToken })).confirmations.map(
        ({ confirmationId }) => confirmationId,
      )
    await expect(require({ timeout: 50 })).rejects.toMatchObject({ code: 'TIMEOUT' })
    await expect.poll(pending).toEqual([])
    const controller = new AbortController()
    const stopped = require({ signal: controller.signal, onRequested: () => controller.abort(new Error('enough')) })
    await expect(stopped).rejects.toThrow('enough')
    await expect.poll(pending).toEqual([])
    expect(sent.filter((one) => one === 'POST withdraw')).toHaveLength(2)
    expect(redeemed()).toBe(0)
  })

  it('uses nothing when the signal aborts after the user approved', async () => {
    const controller = new AbortController()
    const onRequested = async ({ confirmationId }: { readonly confirmationId: string }) => {
      await decide(confirmationId, 'approve')
      controller.abort(new Error('too late'))
    }
    await expect(require({ signal: controller.signal, onRequested })).rejects.toThrow('too late')
    expect(redeemed()).toBe(0)
  })

  it("is for the action as it was at the time of the call, even if the caller's object changes later", async () => {
    const given = action()
    const onRequested = async ({ confirmationId }: { readonly confirmationId: string }) => {
      Object.assign(given.actionPayload, { amount: 9999 })
      await decide(confirmationId, 'approve')
    }
    const receipts = { keys: (await keys()) as never }
    const { verified } = await requireApproval(await clientWith(), given, { onRequested, receipts })
    expect(verified?.statement?.actionPayload).toMatchObject({ amount: aPayment.amount })
  })

  it('is used once, even if the response to the use is lost', async () => {
    let lost = 0
    const client = await clientWith((request) => {
      if (!request.url.endsWith('/redeem') || lost > 0) return undefined
      lost += 1
      return Response.json({}, { status: 503 })
    })
    await expect(requireApproval(client, action(), approving)).resolves.toMatchObject({ receipt: expect.any(String) })
    expect(redeemed()).toBe(2)
  })
})
