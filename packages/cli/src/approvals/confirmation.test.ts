import { signInNewDeviceUser, validPayloads } from '@countersign/core/testing'
import { beforeAll, expect, test } from 'vitest'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const { here, server } = await openWorkplaceOfFile()
let given: Awaited<ReturnType<typeof prepare>>

/** A user with an approved and a pending confirmation. */
const prepare = async () => {
  const { countersign } = server
  const { user, web, mobile, device, signer } = await signInNewDeviceUser({ countersign })
  const initiate = () =>
    countersign.confirmations.initiate({
      caller: web.caller,
      actionType: 'payment_approval',
      actionPayload: validPayloads.payment_approval,
    })
  const [approved, pending] = [await initiate(), await initiate()]
  const approval = { confirmationId: approved.id, deviceId: device.id, signedChallenge: signer.sign(approved.challenge) }
  await countersign.confirmations.approve({ caller: mobile.caller, ...approval })
  return { user, device, caller: mobile.caller, approved: approved.id, pending: pending.id }
}

beforeAll(async () => {
  given = await prepare()
})

const idsOf = async (...args: readonly string[]) =>
  ((await here.json(['confirmation', 'list', '--user', given.user.email, ...args])) as readonly { id: string }[]).map(
    ({ id }) => id,
  )

test('`confirmation list` lists the confirmations of a user, and filters by status and by type', async () => {
  expect((await idsOf()).toSorted()).toEqual([given.approved, given.pending].toSorted())
  expect(await idsOf('--status', 'approved')).toEqual([given.approved])
  expect(await idsOf('--status', 'rejected')).toEqual([])
  expect((await idsOf('--type', 'payment_approval')).length).toBe(2)
  expect(await idsOf('--type', 'login')).toEqual([])
})

test('`confirmation list` with a tenant lists only the confirmations of this tenant', async () => {
  const { countersign } = server
  const ofTenant = await signInNewDeviceUser({ countersign })
  await countersign.users.grant({ email: ofTenant.user.email, permissions: ['x.y@acme'] })
  const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
  const { id } = await countersign.confirmations.initiate({ ...action, tenant: 'acme', caller: ofTenant.web.caller })
  expect(await here.json(['confirmation', 'list', '--tenant', 'acme'])).toMatchObject([{ id, tenant: 'acme' }])
  expect(await here.json(['confirmation', 'list', '--tenant', 'Acme'])).toEqual([])
  expect((await here.run(['confirmation', 'list', '--tenant', 'a b'])).stderr).toContain('tenant: must be 1 to 64 characters')
})

test('the table for people names the device that approved, and has no payload', async () => {
  const { stdout } = await here.run(['confirmation', 'list', '--user', given.user.email])
  expect(stdout).toContain(given.device.id)
  expect(stdout).not.toContain('amount')
})

test('`confirmation show` says who approved, when, and with which device', async () => {
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  const shown = await here.json(['confirmation', 'show', given.approved])
  expect(shown).toMatchObject({
    id: given.approved,
    email: given.user.email,
    status: 'approved',
    deviceId: given.device.id,
    deviceName: "Ada's phone",
    approvedAt: timestamp,
    signatureAlgorithm: 'ES256',
    consumedAt: null,
    erased: false,
  })
  expect(shown).not.toHaveProperty('actionPayload')
})

test('the payload is decrypted only if it is asked for', async () => {
  const show = ['confirmation', 'show', given.approved]
  expect((await here.run(show)).stdout).not.toContain('amount')
  expect((await here.run([...show, '--with-payload'])).stdout).toContain('amount')
  expect(await here.json([...show, '--with-payload'])).toMatchObject({ actionPayload: validPayloads.payment_approval })
})

test('a voided approval is shown as voided, and `user why` names the voided approval and the lock of the account, by email or id', async () => {
  const { user, approved } = await prepare()
  await here.json(['user', 'lock', String(user.id)])
  expect(await here.json(['confirmation', 'show', approved])).toMatchObject({ status: 'voided' })
  const listed = await here.json(['confirmation', 'list', '--user', user.email, '--status', 'approved'])
  expect(listed).toMatchObject([{ id: approved, status: 'voided' }])
  for (const named of [user.email, String(user.id)]) {
    expect(await here.json(['user', 'why', named])).toMatchObject({
      canApprove: false,
      reasons: expect.arrayContaining([expect.stringContaining('The account was locked at')]),
      confirmations: { voided: [{ id: approved }] },
    })
  }
  const { stdout } = await here.run(['user', 'why', user.email, '--action', 'payment_approval'])
  expect(stdout).toContain('The user cannot approve:')
  expect(stdout).toContain(approved)
})

test('`user why` says when a login by password from an address is possible again', async () => {
  const { user } = await prepare()
  const why = ['user', 'why', user.email, '--address', '2001:db8::1']
  expect(await here.json(why)).toMatchObject({ limits: { passwordLoginAt: null, refusedRequests: [] } })
  for (let time = 0; time < 20; time += 1) {
    const wrong = { email: user.email, password: 'wrong horse battery', address: '2001:db8:0:0::/64' }
    await server.countersign.auth.login(wrong).catch(() => undefined)
  }
  expect((await here.run(why)).stdout).toMatch(/^Password logins are refused until \d{4}-.*Z, after wrong passwords\.$/m)
  expect(await here.run([...why.slice(0, -1), 'nowhere'])).toMatchObject({
    code: 1,
    stderr: 'error: --address: nowhere is no IP address\n',
  })
})

test('an unknown confirmation, user or status is refused', async () => {
  expect(await here.run(['confirmation', 'show', 'conf_x'])).toMatchObject({ code: 1 })
  expect(await here.run(['confirmation', 'list', '--user', 'nobody@example.com'])).toMatchObject({ code: 1 })
  expect(await here.run(['confirmation', 'list', '--user', given.user.email, '--status', 'maybe'])).toMatchObject({ code: 2 })
})

test('the confirmation of a deleted user still has its evidence, but no payload', async () => {
  const { user, approved } = await prepare()
  await server.countersign.users.delete({ email: user.email })
  expect(await here.json(['confirmation', 'show', approved])).toMatchObject({
    email: null,
    deviceName: null,
    erased: true,
    status: 'voided',
  })
  const { code, stderr } = await here.run(['confirmation', 'show', approved, '--with-payload'])
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('erased') })
})

test('the command lists the confirmations of all users in pages, and the confirmations of a deleted user by id', async () => {
  const { user } = await prepare()
  await server.countersign.users.delete({ email: user.email })
  const list = async (...args: readonly string[]) =>
    (await here.json(['confirmation', 'list', ...args])) as readonly { id: string; email: string | null; createdAt: string }[]
  const all = await list()
  expect(all.map(({ email }) => email)).toEqual(expect.arrayContaining([given.user.email, null]))
  const { stdout, stderr } = await here.run(['confirmation', 'list', '--limit', '1', '--json'])
  expect(JSON.parse(stdout)).toEqual(all.slice(0, 1))
  const position = `${all[0]?.createdAt}/${all[0]?.id}`
  expect(stderr).toBe(`warning: the list goes on with --after ${position}\n`)
  expect(await list('--after', position)).toEqual(all.slice(1))
  expect(await list('--user', String(user.id))).toHaveLength(2)
  expect(await list('--status', 'approved', '--before', '2020-01-01')).toEqual([])
})

test('the reason of a rejection is decrypted only if it is asked for', async () => {
  const { caller, pending } = await prepare()
  await server.countersign.confirmations.reject({ caller, confirmationId: pending, reason: 'I did not ask for this' })
  const show = ['confirmation', 'show', pending]
  expect(await here.json(show)).not.toHaveProperty('reason')
  expect(await here.json([...show, '--with-payload'])).toMatchObject({ status: 'rejected', reason: 'I did not ask for this' })
  expect((await here.run([...show, '--with-payload'])).stdout).toContain('I did not ask for this')
})
