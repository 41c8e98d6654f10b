import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServiceClient, createVerifier } from '@countersign/client-sdk/verifier'
import { type DeviceUser, signInNewDeviceUser } from '@countersign/core/testing'
import { createApp } from '@countersign/server'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPaymentApp } from './app.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { settleTransfer } from './settle-transfer.ts'

const scopes = ['confirmation.initiate:payment_approval', 'confirmation.redeem:payment_approval']

let directory: string
let ledger: Ledger
let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-payments-'))
  ledger = openLedger(join(directory, 'ledger.db'))
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
})
afterEach(() => {
  ledger.close()
  rmSync(directory, { recursive: true })
})

const start = async () => {
  const auth = createApp(test.countersign, { version: '1.0.0' })
  const fetch: typeof globalThis.fetch = async (input, init) => auth.fetch(new Request(input, init))
  const { token } = await test.countersign.serviceTokens.issue({ service: 'payments', scopes })
  const party = { baseUrl: 'http://countersign.test', serviceName: 'payments', fetch }
  const countersign = createServiceClient({ ...party, token })
  const app = createPaymentApp({ verifier: createVerifier(party), countersign, ledger })
  const headers = { authorization: `Bearer ${user.web.tokens.accessToken}` }
  const post = async (path: string, body?: object) => {
    const answer = await app.request(path, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }
  return { countersign, app, post }
}

/** Approves the only pending confirmation on the user's device, after a look at what it says. */
const approve = async () => {
  const { caller } = user.mobile
  const [pending] = await test.countersign.confirmations.pending({ caller })
  if (pending === undefined) throw new Error('nothing is pending')
  const signedChallenge = user.signer.sign(pending.challenge)
  await test.countersign.confirmations.approve({ caller, confirmationId: pending.id, deviceId: user.device.id, signedChallenge })
  return JSON.parse(pending.actionPayloadText) as unknown
}

describe('a transfer', () => {
  it('is made once the user has approved exactly this transfer', async () => {
    const { post } = await start()
    const planned = await post('/transfers', { recipient: 'Ada', cents: 125_000 })
    expect(planned.status).toBe(202)
    const path = `/transfers/${planned.body.id}/settle`
    expect(await post(path)).toMatchObject({ status: 409, body: { code: 'confirmation_not_approved' } })
    expect(await approve()).toEqual({ amount: '1250.00', currency: 'EUR', recipient: 'Ada' })
    const settled = await post(path)
    expect(settled).toMatchObject({
      status: 200,
      body: { state: 'done', receipt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+~/) },
    })
    expect(await post(path)).toEqual(settled)
    expect(ledger.balanceOf('Ada')).toBe(125_000)
  })

  it('is made once, though the service crashes between the redemption and the ledger', async () => {
    const { post, countersign } = await start()
    const { body } = await post('/transfers', { recipient: 'Ada', cents: 100 })
    await approve()
    const transfer = ledger.byId(String(body.id))
    if (transfer === undefined) throw new Error('no transfer was planned')
    const execute = () => {
      throw new Error('crash')
    }
    await expect(settleTransfer({ countersign, ledger: { ...ledger, execute } }, transfer)).rejects.toThrow('crash')
    expect(ledger.balanceOf('Ada')).toBe(0)
    for (const again of ledger.planned()) await settleTransfer({ countersign, ledger }, again)
    await settleTransfer({ countersign, ledger }, transfer)
    expect(ledger.balanceOf('Ada')).toBe(100)
    expect(ledger.planned()).toEqual([])
  })

  it('is refused if its row was changed after the approval', async () => {
    const { post, countersign } = await start()
    const { body } = await post('/transfers', { recipient: 'Ada', cents: 100 })
    await approve()
    const transfer = ledger.byId(String(body.id))
    if (transfer === undefined) throw new Error('no transfer was planned')
    const changed = { ...transfer, cents: 1_000_000 }
    await expect(settleTransfer({ countersign, ledger }, changed)).rejects.toMatchObject({ serviceCode: 'other_action' })
    expect(ledger.byId(transfer.id)).toMatchObject({ state: 'refused' })
    expect(ledger.balanceOf('Ada')).toBe(0)
  })

  it('is for its own user only, who must be signed in', async () => {
    const { post, app } = await start()
    const { body } = await post('/transfers', { recipient: 'Ada', cents: 100 })
    user = await signInNewDeviceUser(test)
    const other = await start()
    expect((await other.post(`/transfers/${body.id}/settle`)).status).toBe(404)
    expect((await app.request('/transfers', { method: 'POST', body: '{}' })).status).toBe(401)
  })

  it.each([{}, { recipient: 'Ada' }, { recipient: 'Ada', cents: -1 }, { recipient: 'Ada', cents: 1.5 }])(
    'is refused as %j',
    async (body) => {
      const { post } = await start()
      expect((await post('/transfers', body)).status).toBe(400)
    },
  )
})
