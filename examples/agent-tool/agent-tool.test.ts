import type { ReceiptKeys } from '@countersign/client-sdk/receipt'
import { createServiceClient, type ServiceClient } from '@countersign/client-sdk/verifier'
import { type DeviceUser, signInNewDeviceUser } from '@countersign/core/testing'
import { createApp } from '@countersign/server'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Bank, createBank } from './bank.ts'
import { createAgentServer } from './create-server.ts'

const scopes = ['initiate', 'read', 'redeem'].map((what) => `confirmation.${what}:payment_approval`)

let test: TestCountersign
let user: DeviceUser
let bank: Bank
let countersign: ServiceClient
let agent: Client
let requests: Request[]
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
  bank = createBank(100_000)
  requests = []
  const app = createApp(test.countersign, { version: '1.0.0' })
  const { token } = await test.countersign.serviceTokens.issue({ service: 'agent-tool', scopes })
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    requests.push(request.clone())
    return app.fetch(request)
  }
  countersign = createServiceClient({ baseUrl: 'http://countersign.test', serviceName: 'agent-tool', token, fetch })
  const published = await app.fetch(new Request('http://countersign.test/.well-known/countersign/receipt-keys'))
  const receipts = { keys: (await published.json()) as ReceiptKeys }
  const [ofAgent, ofTool] = InMemoryTransport.createLinkedPair()
  await createAgentServer({ countersign, userId: user.user.id, bank, receipts }).connect(ofTool)
  agent = new Client({ name: 'agent', version: '1.0.0' })
  await agent.connect(ofAgent)
})
afterEach(() => agent.close())

/** The agent calls the tool. Resolves with the text of the answer. */
const transfer = async (given: object): Promise<string> => {
  const { content } = await agent.callTool({ name: 'transfer', arguments: { recipient: 'Ada', cents: 5000, ...given } })
  return (content as readonly { readonly text: string }[])[0]?.text ?? ''
}

/** Waits for the next confirmation on the phone, and returns it. */
const shownOnPhone = async () => {
  const { caller } = user.mobile
  await expect.poll(() => test.countersign.confirmations.pending({ caller })).toHaveLength(1)
  const [confirmation] = await test.countersign.confirmations.pending({ caller })
  if (confirmation === undefined) throw new Error('nothing waits')
  return { ...confirmation, payload: JSON.parse(confirmation.actionPayloadText) as object }
}

const approveOnPhone = async (): Promise<string> => {
  const { id: confirmationId, challenge } = await shownOnPhone()
  const { caller } = user.mobile
  const signedChallenge = user.signer.sign(challenge)
  await test.countersign.confirmations.approve({ caller, confirmationId, deviceId: user.device.id, signedChallenge })
  return confirmationId
}

const rejectOnPhone = async (): Promise<void> => {
  const { id: confirmationId } = await shownOnPhone()
  await test.countersign.confirmations.reject({ caller: user.mobile.caller, confirmationId })
}

it('money moves only after the person has approved', async () => {
  const answer = transfer({})
  expect((await shownOnPhone()).payload).toStrictEqual({ amount: '50.00', currency: 'EUR', recipient: 'Ada' })
  expect(bank.balance()).toBe(100_000)
  await approveOnPhone()
  expect(await answer).toMatch(/^Transferred 50\.00 EUR to Ada \(conf_/)
  expect([bank.balance(), bank.balanceOf('Ada')]).toEqual([95_000, 5000])
})

it('no money moves if the person rejects', async () => {
  const [answer] = await Promise.all([transfer({}), rejectOnPhone()])
  expect(answer).toBe('Not transferred: The action was not approved: rejected.')
  expect(bank.balance()).toBe(100_000)
})

it('a transfer that somebody talked the agent into needs another approval', async () => {
  await Promise.all([transfer({}), approveOnPhone()])
  const injected = transfer({ recipient: 'Mallory', cents: 90_000 })
  expect((await shownOnPhone()).payload).toMatchObject({ amount: '900.00', recipient: 'Mallory' })
  await rejectOnPhone()
  expect(await injected).toMatch(/^Not transferred/)
  expect([bank.balance(), bank.balanceOf('Mallory')]).toEqual([95_000, 0])
})

it('an approval is refused for another amount, and when it is used a second time', async () => {
  const [, confirmationId] = await Promise.all([transfer({}), approveOnPhone()])
  const actionPayload = { amount: '50.00', currency: 'EUR', recipient: 'Ada' }
  const use = { confirmationId, userId: user.user.id, actionType: 'payment_approval', actionPayload } as const
  await expect(countersign.redeem(use)).rejects.toMatchObject({ serviceCode: 'confirmation_consumed' })

  const planned = await countersign.initiate({ userId: user.user.id, actionType: 'payment_approval', actionPayload })
  await approveOnPhone()
  const other = { ...use, confirmationId: planned.confirmationId, actionPayload: { ...actionPayload, amount: '900.00' } }
  await expect(countersign.redeem(other)).rejects.toMatchObject({ serviceCode: 'other_action' })
})

it('the agent never chooses the person who approves', async () => {
  const [answer] = await Promise.all([transfer({ userId: 999, approved: true, confirmationId: 'conf_x' }), approveOnPhone()])
  expect(answer).toMatch(/^Transferred/)
  const initiated = requests.find(({ url, method }) => method === 'POST' && url.endsWith('/internal/confirmations'))
  expect(await initiated?.json()).toMatchObject({ userId: user.user.id })
})

it.each([{ cents: -1 }, { cents: 0.5 }, { recipient: 'a\u202eb' }])('the tool refuses %j, and asks nobody', async (given) => {
  await transfer(given)
  expect(requests).toEqual([])
  expect(bank.balance()).toBe(100_000)
})
