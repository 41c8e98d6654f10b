import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { Forbidden } from '../../shared/errors.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { signInByHost, signInNewUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'

const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const

it('the directory of the host decides who may ask in a tenant, at the moment of the request', async () => {
  const directory = memoryDirectory()
  const test = await createTestCountersign({ users: directory })
  const directoryId = await directory.add({ email: 'ada@example.test', passwordHash: null, disabled: false, permissions: [] })
  const { caller } = await signInByHost(test, { directoryId })
  const ask = (tenant?: string) => test.countersign.confirmations.initiate({ ...action, caller, tenant })
  await expect(ask('acme')).rejects.toStrictEqual(new Forbidden())
  await directory.change(directoryId, { permissions: ['tenant.member@acme'] })
  expect(await ask('acme')).toHaveProperty('id')
  await directory.change(directoryId, { permissions: [] })
  await expect(ask('acme')).rejects.toStrictEqual(new Forbidden())
  expect(await ask()).toHaveProperty('id')
})

it('a request for a user who does not exist is refused, in a tenant and without one', async () => {
  const { countersign } = await createTestCountersign()
  for (const tenant of ['acme', undefined]) {
    const asked = countersign.confirmations.initiate({ ...action, caller: { userId: 4711 }, tenant })
    await expect(asked).rejects.toStrictEqual(new InvalidAccessToken())
  }
})

it('a user with too many pending confirmations may ask again after 30 seconds', async () => {
  const test = await createTestCountersign({ options: { pendingConfirmationsPerUser: 1 } })
  const { caller } = await signInNewUser(test)
  await initiatePayment(test, caller)
  const refusal = { code: 'too_many_pending_confirmations', retryAfterMs: 30_000 }
  await expect(initiatePayment(test, caller)).rejects.toMatchObject(refusal)
})

it('a user may have five open approval requests by default', async () => {
  const test = await createTestCountersign({
    options: { approvalPolicies: { payment_approval: { bands: [{ groups: 'none' }] } } },
  })
  const { caller } = await signInNewUser(test)
  const start = () => test.countersign.approvalRequests.start({ ...action, caller })
  for (let time = 0; time < 5; time += 1) await start()
  await expect(start()).rejects.toMatchObject({ code: 'too_many_approval_requests' })
})
