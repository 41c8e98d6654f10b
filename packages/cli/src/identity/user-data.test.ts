import { expect, test } from 'vitest'
import { runAsPerson } from '../testing/terminal.ts'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const password = 'correct horse battery'

const { here, server } = await openWorkplaceOfFile()

let count = 0
const givenUser = async () => {
  count += 1
  return server.countersign.users.create({ email: `ada${count}@example.com`, password, name: 'Ada' })
}

test('permissions in a tenant are shown as stored, and an export of a tenant has no permissions of another tenant', async () => {
  const { email } = await givenUser()
  const granted = ['payment.approve@acme', 'project.read', 'x.y@other']
  expect((await here.run(['user', 'grant', email, ...granted])).stdout).toContain(granted.join(', '))
  expect(await here.json(['user', 'show', email])).toMatchObject({ permissions: granted })
  expect(await here.json(['user', 'list', '--permission', 'x.y@other'])).toMatchObject([{ email, permissions: granted }])
  const exported = await here.json(['user', 'export', email, '--tenant', 'acme'])
  expect(exported).toMatchObject({ user: { permissions: ['payment.approve', 'project.read'] } })
  await here.json(['user', 'revoke', email, 'x.y@other'])
  expect(await here.json(['user', 'show', email])).toMatchObject({ permissions: granted.slice(0, 2) })
})

test('an update changes the given values, and a running server sees them', async () => {
  const { id, email } = await givenUser()
  const newEmail = `new-${email}`
  const args = ['user', 'update', email, '--email', newEmail, '--department-name', 'Engines', '--employee-name', 'A. Lovelace']
  const expected = {
    id,
    email: newEmail,
    name: 'Ada',
    department: { id: '', name: 'Engines' },
    employee: { name: 'A. Lovelace' },
  }
  expect(await here.json(args)).toMatchObject(expected)
  expect(await server.countersign.users.find({ email: newEmail })).toMatchObject(expected)
})

test('an update without any value is wrong usage, and an email of another user is refused', async () => {
  const [one, other] = [await givenUser(), await givenUser()]
  expect(await here.run(['user', 'update', one.email])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('at least one value'),
  })
  expect(await here.run(['user', 'update', one.email, '--email', other.email])).toMatchObject({ code: 1 })
})

test('a script deletes a user with --yes only, and the tokens of the user are refused at once', async () => {
  const { id, email } = await givenUser()
  const { accessToken } = await server.countersign.auth.login({ email, password })
  expect(await here.run(['user', 'delete', email])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  await expect(server.countersign.auth.authenticate({ token: accessToken })).resolves.toBeDefined()
  expect(await here.json(['user', 'delete', email, '--yes'])).toEqual({ id, sessions: 1, devices: 0, passkeys: 0 })
  await expect(server.countersign.auth.authenticate({ token: accessToken })).rejects.toThrow()
  expect(await here.run(['user', 'show', email])).toMatchObject({ code: 1, stderr: expect.stringContaining('User not found') })
  expect(await here.run(['user', 'delete', email, '--yes'])).toMatchObject({ code: 1 })
})

test('on a terminal, the person must type the email before anything is deleted', async () => {
  const { email } = await givenUser()
  const after = 'to go on: '
  const refused = await runAsPerson(here, ['user', 'delete', email], { typed: [{ after, keys: 'yes\r' }] })
  expect(refused).toMatchObject({ code: 1, shown: expect.stringContaining('nothing was done') })
  const cancelled = await runAsPerson(here, ['user', 'delete', email], { typed: [{ after, keys: '\u0003' }] })
  expect(cancelled).toMatchObject({ code: 1, shown: expect.stringContaining('nothing was done') })
  expect(await server.countersign.users.find({ email })).toBeDefined()
  const done = await runAsPerson(here, ['user', 'delete', email], { typed: [{ after, keys: `${email}\r` }] })
  expect(done).toMatchObject({ code: 0, shown: expect.stringContaining('Deleted user') })
})

test('an export is JSON with ISO timestamps at every depth, and without the password hash', async () => {
  const { id, email } = await givenUser()
  await server.countersign.auth.login({ email, password, address: '192.0.2.7', userAgent: 'Firefox' })
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
  const exported = await here.json(['user', 'export', email])
  expect(exported).toEqual({
    confirmations: [],
    approvalRequests: [],
    projects: [],
    delegations: [],
    user: expect.objectContaining({ id, email, createdAt: timestamp, hasPassword: true }),
    sessions: [expect.objectContaining({ address: '192.0.2.7', userAgent: 'Firefox', createdAt: timestamp })],
    devices: [],
    passkeys: [],
    removedPasskeys: [],
    oneTimeCodes: [],
  })
  const { stdout } = await here.run(['user', 'export', email])
  expect(JSON.parse(stdout)).toEqual(exported)
  expect(stdout).not.toContain('argon2')
})
