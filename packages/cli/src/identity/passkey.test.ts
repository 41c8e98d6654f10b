import {
  createVirtualPasskey,
  type PasskeyUser,
  registerTestDevice,
  registerTestPasskey,
  signInByPasskey,
  signInNewPasskeyUser,
} from '@countersign/core/testing'
import { beforeAll, expect, test } from 'vitest'
import { openOlderSession } from '../testing/open-older-session.ts'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const { here, server } = await openWorkplaceOfFile()
let ada: PasskeyUser
/** A valid id that begins with a hyphen, like an option. */
const credentialId = Buffer.alloc(32, 0xf8)
beforeAll(async () => {
  ada = await signInNewPasskeyUser(server, { virtual: createVirtualPasskey({ credentialId }) })
})

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const shown = () => ({
  id: ada.passkey.id,
  userId: ada.user.id,
  algorithm: -7,
  transports: ['hybrid', 'internal'],
  backupEligible: true,
  backedUp: true,
  aaguid: '00000000-0000-0000-0000-000000000000',
  discoverable: true,
  name: ada.passkey.name,
  tenants: null,
  createdAt: timestamp,
  lastUsedAt: null,
  trustedAt: timestamp,
  trusted: true,
})

const withoutTrust = ({ trusted: _, ...passkey }: ReturnType<typeof shown>) => passkey

test('the passkeys of a user are listed, without the fields that only ceremonies need', async () => {
  expect(await here.json(['passkey', 'list', '--user', ada.user.email])).toEqual([shown()])
  const { stdout } = await here.run(['passkey', 'list', '--user', ada.user.email])
  expect(stdout).toMatch(new RegExp(`^${ada.passkey.id}\t${ada.passkey.name}\tES256\thybrid, internal\tyes\ttrusted\t–\t`, 'm'))
})

test('the list of passkeys is refused for an unknown user, and empty for a user without passkeys', async () => {
  const ran = await here.run(['passkey', 'list', '--user', 'eve@example.com'])
  expect(ran).toEqual({ code: 1, stdout: '', stderr: 'error: User not found\n' })
  const { email } = await server.countersign.users.create({ email: 'bob@example.com' })
  expect((await here.run(['passkey', 'list', '--user', email])).stdout).toBe('There are no passkeys.\n')
})

test('`passkey trust` makes a passkey on probation trusted', async () => {
  const { user, caller } = await signInNewPasskeyUser(server)
  await registerTestDevice(server, caller)
  const older = { ...caller, sessionId: (await openOlderSession(server, user.id)).id }
  const { passkey } = await registerTestPasskey(server, older)
  expect(passkey.trusted).toBe(false)
  const trusted = await here.json(['passkey', 'trust', passkey.id, '--user', user.email])
  expect(trusted).toMatchObject({ id: passkey.id, trusted: true, trustedAt: timestamp })
  expect(await here.run(['passkey', 'trust', 'unknown'])).toMatchObject({ code: 1, stderr: 'error: Passkey not found\n' })
})

test('a revoked passkey is refused by running servers and no longer listed', async () => {
  const { tokens } = await signInByPasskey(server, ada.virtual)
  const authenticate = () => server.countersign.auth.authenticate({ token: tokens.accessToken })
  expect(await authenticate()).toMatchObject({ userId: ada.user.id })

  expect(ada.passkey.id.startsWith('-')).toBe(true)
  expect(await here.json(['passkey', 'revoke', ada.passkey.id])).toEqual({
    ...withoutTrust(shown()),
    lastUsedAt: timestamp,
  })

  await expect(authenticate()).rejects.toThrow('Invalid or expired token')
  await expect(signInByPasskey(server, ada.virtual)).rejects.toThrow('Invalid passkey')
  expect(await here.json(['passkey', 'list', '--user', ada.user.email])).toEqual([])
  const again = await here.run(['passkey', 'revoke', ada.passkey.id])
  expect(again).toEqual({ code: 1, stdout: '', stderr: 'error: Passkey not found\n' })
  expect(await here.run(['passkey', 'revoke'])).toMatchObject({ code: 2, stdout: '' })
  expect(await here.run(['passkey', 'revoke', ada.passkey.id, '--jsn'])).toMatchObject({ code: 2, stdout: '' })
})

test('a passkey whose id several users share is revoked by naming the user', async () => {
  const virtual = createVirtualPasskey({ credentialId: Buffer.alloc(32, 0xf9) })
  const owner = await signInNewPasskeyUser(server, { virtual })
  const other = await signInNewPasskeyUser(server, { virtual: createVirtualPasskey({ credentialId: Buffer.alloc(32, 0xf9) }) })
  expect(await here.run(['passkey', 'revoke', virtual.id])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: Several users have a passkey of this id: name the user\n',
  })
  expect(await here.json(['passkey', 'revoke', virtual.id, '--user', owner.user.email])).toMatchObject({ userId: owner.user.id })
  await expect(signInByPasskey(server, virtual)).rejects.toThrow('Invalid passkey')
  expect(await here.json(['passkey', 'list', '--user', other.user.email])).toHaveLength(1)
  expect(await here.run(['passkey', 'revoke', virtual.id, '--user', 'eve@example.com'])).toMatchObject({ code: 1 })
  expect(await here.json(['passkey', 'revoke', virtual.id])).toMatchObject({ userId: other.user.id })
})
