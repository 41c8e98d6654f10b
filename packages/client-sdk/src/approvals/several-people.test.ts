import type { GivenPolicy } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import type { RequestedApproval } from '../index.ts'
import { type Approver, aPayment, createApprover } from '../testing/device-client.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'

const permission = 'document.approve'
const group = { permission, count: 2 } as const
const gates = { 'project.approve': { actionType: 'document_approval' } } as const

/** A service whose gate asks two people, with their phones and the page of the requester. */
const given = async (policy: GivenPolicy = group) => {
  const approvalPolicies = { document_approval: policy, payment_approval: group } as const
  const all = await createTestClient({}, { options: { gates, approvalPolicies, rateLimits: 'off' } })
  const { client, test, sent } = all
  await logInNewUser(all)
  const approvers = [await createApprover(all, permission), await createApprover(all, permission)] as const
  const { id: customerId } = await test.countersign.customers.create({ name: 'ACME', email: 'office@acme.test' })
  const project = { name: 'Bridge', customerId, contractValue: 1250.5, currency: 'EUR' }
  const { uniqueCode } = (await client.projects.create(project)).data
  sent.length = 0
  const status = async () => (await client.projects.get({ uniqueCode })).data.status
  const both = async (what: Parameters<Approver['decide']>[0]) => {
    for (const one of approvers) await one.decide(what)
  }
  return { ...all, uniqueCode, status, approvers, both }
}

describe('a gated call that several people must approve', () => {
  it('asks them for exactly this action, and is made after their approvals', async () => {
    const { client, uniqueCode, both } = await given()
    const shown: RequestedApproval[] = []
    const onRequested = async (requested: RequestedApproval) => {
      shown.push(requested)
      await both('approve')
    }
    const approved = await client.projects.approve({ uniqueCode }, { approval: { onRequested, numberMatching: true } })
    expect(approved.data.status).toBe('approved')
    expect(shown).toMatchObject([
      {
        actionPayload: { documentId: uniqueCode },
        operation: 'project.approve',
        policy: group,
        confirmationId: expect.stringMatching(/^appr_/),
        matchNumber: undefined,
        expiresAt: expect.any(String),
      },
    ])
    const { confirmationId: approvalId = '' } = shown[0] ?? {}
    expect(await client.approvalRequests.read({ approvalId })).toMatchObject({ status: 'redeemed', approvals: 2 })
  })

  it('needs no approval if the policy needs nobody', async () => {
    const { client, uniqueCode } = await given({ bands: [{ groups: 'none' }] })
    expect((await client.projects.approve({ uniqueCode }, { approval: {} })).data.status).toBe('approved')
  })

  it('sends the reason that the policy requires', async () => {
    const { client, uniqueCode, both } = await given({ bands: [{ groups: [group], reasonRequired: true }] })
    await expect(client.projects.approve({ uniqueCode }, { approval: {} })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const approval = { context: { reason: 'The offer ends today' }, onRequested: () => both('approve') }
    expect((await client.projects.approve({ uniqueCode }, { approval })).data.status).toBe('approved')
  })

  it.each<
    readonly [string, string, (all: Awaited<ReturnType<typeof given>>) => (requested: RequestedApproval) => Promise<unknown>]
  >([
    [
      'one of them rejects',
      'CONFIRMATION_REJECTED',
      ({ approvers }) =>
        () =>
          approvers[0].decide('reject'),
    ],
    [
      'the requester withdraws the request elsewhere',
      'CONFIRMATION_EXPIRED',
      ({ client }) =>
        ({ confirmationId: approvalId }) =>
          client.approvalRequests.withdraw({ approvalId }),
    ],
  ])('changes nothing if %s', async (_, code, decision) => {
    const all = await given()
    const { client, uniqueCode, status } = all
    const approval = { onRequested: async (requested: RequestedApproval) => void (await decision(all)(requested)) }
    await expect(client.projects.approve({ uniqueCode }, { approval })).rejects.toMatchObject({ code })
    expect(await status()).toBe('pending')
  })

  it('withdraws the request when its signal aborts, and takes it from the phones', async () => {
    const { client, uniqueCode, approvers } = await given()
    const controller = new AbortController()
    const onRequested = async () => {
      expect(await approvers[0].pending()).toHaveLength(1)
      controller.abort(new Error('the page was left'))
    }
    const call = client.projects.approve({ uniqueCode }, { signal: controller.signal, approval: { onRequested } })
    await expect(call).rejects.toThrow('the page was left')
    await expect.poll(() => approvers[0].pending()).toEqual([])
  })

  it('rejects with TIMEOUT after its own timeout, and the approval request stays open', async () => {
    const { client, uniqueCode, approvers } = await given()
    await expect(client.projects.approve({ uniqueCode }, { approval: { timeout: 1 } })).rejects.toMatchObject({ code: 'TIMEOUT' })
    expect(await approvers[0].pending()).toHaveLength(1)
  })
})

describe('the refusal of a gate', () => {
  it('decides whom requestApproval asks: several people if it has a policy, otherwise the person alone', async () => {
    const { client, uniqueCode, both, sent } = await given()
    const { requiredAction } = await client.projects.approve({ uniqueCode }).catch((error) => error)
    sent.length = 0
    const confirmationId = await client.confirmations.requestApproval(requiredAction, { onRequested: () => both('approve') })
    expect(confirmationId).toMatch(/^appr_/)
    expect(sent[0]).toBe('POST /api/v1/auth/approvals')
    expect((await client.projects.approve({ uniqueCode, confirmationId })).data.status).toBe('approved')

    const leave = ({ confirmationId: id }: RequestedApproval) => Promise.reject(new Error(id))
    const alone = client.confirmations.requestApproval({ ...requiredAction, policy: null }, { onRequested: leave })
    await expect(alone).rejects.toThrow(/^conf_/)
  })
})

describe('a requested approval of several people', () => {
  it('resolves with the votes', async () => {
    const { client, approvers, both } = await given()
    const requested = await client.approvalRequests.request(aPayment)
    expect(requested).toMatchObject({ status: 'pending', approvals: 0, count: 2, groups: [{ ...group, approvals: 0 }] })
    const settled = requested.settled()
    await approvers[0].decide('approve')
    expect(await client.approvalRequests.read(requested)).toMatchObject({ status: 'pending', approvals: 1 })
    await both('approve')
    const approved = { status: 'approved', approvals: 2, groups: [{ ...group, approvals: 2 }] }
    expect(await settled).toMatchObject(approved)
    expect(await client.approvalRequests.settled(requested.approvalId)).toMatchObject(approved)
  })

  it('resolves as rejected after the first rejection', async () => {
    const { client, approvers } = await given()
    const requested = await client.approvalRequests.request(aPayment)
    await approvers[1].decide('reject')
    expect(await requested.settled()).toMatchObject({ status: 'rejected', approvals: 0 })
  })

  it('is withdrawn when the signal of the wait aborts, but not when a wait by its id is aborted', async () => {
    const { client, approvers, sent } = await given()
    const requested = await client.approvalRequests.request(aPayment)
    const signal = AbortSignal.abort(new Error('the page was left'))
    await expect(client.approvalRequests.settled(requested.approvalId, { signal })).rejects.toThrow('the page was left')
    expect(sent.filter((one) => one.endsWith('/withdraw'))).toEqual([])
    await expect(requested.settled({ signal })).rejects.toThrow('the page was left')
    await expect.poll(() => approvers[0].pending()).toEqual([])
    const withdrawn = { status: 'expired', withdrawnAt: expect.any(String) }
    expect(await client.approvalRequests.settled(requested.approvalId)).toMatchObject(withdrawn)
  })

  it('is read with the token with which it was requested', async () => {
    const { client, another, approvers } = await given()
    const token = (await client.accessToken()) ?? ''
    const requested = await another().approvalRequests.request(aPayment, { token })
    await approvers[0].decide('reject')
    expect(await requested.settled()).toMatchObject({ status: 'rejected' })
  })
})
