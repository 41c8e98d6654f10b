import { describe, expect, it } from 'vitest'
import type { RequestedApproval } from '../index.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import { createTestSigner } from '../testing/test-signer.ts'

const gates = { 'project.approve': { actionType: 'document_approval' } } as const
const path = (uniqueCode: string) => `PUT /api/v1/projects/${uniqueCode}/approved`

const given = async () => {
  const all = await createTestClient({}, { options: { gates, rateLimits: 'off' } })
  const { client, test, sent, another } = all
  await logInNewUser(all)
  const signer = createTestSigner()
  await client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
  const phone = another()
  await phone.mobile.login({ signer })
  const { id: customerId } = await test.countersign.customers.create({ name: 'ACME', email: 'office@acme.test' })
  const project = { name: 'Bridge', customerId, contractValue: 1250.5, currency: 'EUR' }
  const { uniqueCode } = (await client.projects.create(project)).data
  sent.length = 0
  const decide = async (what: 'approve' | 'reject') => {
    const [confirmation] = (await phone.confirmations.pending()).confirmations
    if (confirmation === undefined) throw new Error('nothing waits')
    await (what === 'approve' ? phone.confirmations.approve(confirmation, signer) : phone.confirmations.reject(confirmation))
  }
  const pending = async () => (await phone.confirmations.pending()).confirmations
  return { ...all, uniqueCode, pending, decide, calls: () => sent.filter((one) => one === path(uniqueCode)).length }
}

describe('a gated call', () => {
  it('rejects with the action to confirm, unless the caller asked the client to obtain approvals', async () => {
    const { client, uniqueCode, sent } = await given()
    const refusal: unknown = await client.projects.approve({ uniqueCode }).catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
      status: 403,
      details: {},
      requiredAction: { actionType: 'document_approval', actionPayload: { documentId: uniqueCode, amount: 1250.5 } },
    })
    expect(sent).toEqual([path(uniqueCode)])
  })

  it('obtains the approval of exactly this action, shows it, and is repeated once', async () => {
    const { client, uniqueCode, decide, calls } = await given()
    const shown: RequestedApproval[] = []
    const onRequested = async (requested: RequestedApproval) => {
      shown.push(requested)
      await decide('approve')
    }
    const approved = await client.projects.approve({ uniqueCode }, { approval: { onRequested } })
    expect(approved.data.status).toBe('approved')
    expect(shown).toMatchObject([{ actionType: 'document_approval', actionPayload: { documentId: uniqueCode } }])
    expect(calls()).toBe(2)
  })

  it('shows the number if the caller asks for number matching', async () => {
    const { client, uniqueCode } = await given()
    const controller = new AbortController()
    const shown: (string | undefined)[] = []
    const onRequested = ({ matchNumber }: RequestedApproval) => {
      shown.push(matchNumber)
      controller.abort(new Error('the page was left'))
    }
    const { signal } = controller
    const call = client.projects.approve({ uniqueCode }, { signal, approval: { onRequested, numberMatching: true } })
    await expect(call).rejects.toThrow('the page was left')
    expect(shown).toEqual([expect.stringMatching(/^\d\d$/)])
  })

  it('withdraws the confirmation when its signal aborts, also while the confirmation is requested', async () => {
    const { client, uniqueCode, pending, faults, test } = await given()
    const leave = async (when: 'requested' | 'shown') => {
      const controller = new AbortController()
      const abort = () => controller.abort(new Error('the page was left'))
      const approval = when === 'shown' ? { onRequested: abort } : {}
      if (when === 'requested') {
        faults.push(
          (request) => test.app.fetch(request),
          async (request) => {
            const answer = await test.app.fetch(request)
            abort()
            return answer
          },
        )
      }
      const call = client.projects.approve({ uniqueCode }, { signal: controller.signal, approval })
      await expect(call).rejects.toThrow('the page was left')
      await expect.poll(pending).toEqual([])
    }
    await leave('shown')
    await leave('requested')
    const { items } = await test.countersign.confirmations.listAll({})
    expect(items.map(({ status, withdrawnAt }) => [status, withdrawnAt !== null])).toEqual([
      ['expired', true],
      ['expired', true],
    ])
  })

  it('rejects with the signal although the service has not answered yet, and withdraws when it answers', async () => {
    const { client, uniqueCode, pending, faults, test } = await given()
    const controller = new AbortController()
    let answer: () => void = () => {}
    const answering = new Promise<void>((resolve) => {
      answer = resolve
    })
    faults.push(
      (request) => test.app.fetch(request),
      async (request) => {
        const initiated = await test.app.fetch(request)
        controller.abort(new Error('the page was left'))
        await answering
        return initiated
      },
    )
    const call = client.projects.approve({ uniqueCode }, { signal: controller.signal, approval: {} })
    await expect(call).rejects.toThrow('the page was left')
    expect(await pending()).toHaveLength(1)
    answer()
    await expect.poll(pending).toEqual([])
  })

  it('rejects if the person rejects, and changes nothing', async () => {
    const { client, uniqueCode, decide, calls } = await given()
    const call = client.projects.approve({ uniqueCode }, { approval: { onRequested: () => decide('reject') } })
    await expect(call).rejects.toMatchObject({ code: 'CONFIRMATION_REJECTED', status: undefined })
    expect((await client.projects.get({ uniqueCode })).data.status).toBe('pending')
    expect(calls()).toBe(1)
  })

  it('rejects if the confirmation expires', async () => {
    const { client, test, uniqueCode } = await given()
    const call = client.projects.approve({ uniqueCode }, { approval: { onRequested: () => test.clock.advance(5 * 60_000) } })
    await expect(call).rejects.toMatchObject({ code: 'CONFIRMATION_EXPIRED' })
  })

  it('rejects with the second refusal, and does not ask again', async () => {
    const { client, uniqueCode, decide, faults, calls } = await given()
    const refusal = {
      error: {
        code: 'CONFIRMATION_REQUIRED',
        message: 'x',
        statusCode: 403,
        details: { actionType: 'document_approval', actionPayload: { documentId: 'x', documentName: 'y' } },
      },
    }
    const refuse = () => Response.json(refusal, { status: 403 })
    let requested = 0
    const onRequested = async ({ confirmationId }: RequestedApproval) => {
      requested += 1
      await decide('approve')
      const status = await client.confirmations.status({ confirmationId })
      faults.push(() => Response.json({ data: status }), refuse)
    }
    faults.push(refuse)
    const call = client.projects.approve({ uniqueCode }, { approval: { onRequested } })
    await expect(call).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    expect([requested, calls()]).toEqual([1, 2])
  })

  it('does not mistake another 403 for the refusal of a gate', async () => {
    const { client, uniqueCode, faults, sent } = await given()
    faults.push(() =>
      Response.json({ error: { code: 'FORBIDDEN', message: 'No', statusCode: 403, details: {} } }, { status: 403 }),
    )
    const call = client.projects.approve({ uniqueCode }, { approval: {} })
    await expect(call).rejects.toMatchObject({ code: 'FORBIDDEN', requiredAction: undefined })
    expect(sent).toHaveLength(1)
  })
})

it('an approval for a gate of another service is requested and awaited', async () => {
  const { client, decide } = await given()
  const action = { actionType: 'payment_approval', actionPayload: { amount: 5, currency: 'EUR', recipient: 'ACME' } }
  const confirmationId = await client.confirmations.requestApproval(action, { onRequested: () => decide('approve') })
  expect(await client.confirmations.status({ confirmationId })).toMatchObject({ status: 'approved', ...action })
})
