import { type DeviceUser, registerTestDevice, signInByDevice, signInNewDeviceUser } from '@countersign/core/testing'
import { beforeAll, expect, test } from 'vitest'
import { openOlderSession } from '../testing/open-older-session.ts'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const { here, server } = await openWorkplaceOfFile()
let ada: DeviceUser
beforeAll(async () => {
  ada = await signInNewDeviceUser(server, { pushToken: 'where-ada-is-notified' })
})

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const shown = () => ({
  id: ada.device.id,
  userId: ada.user.id,
  deviceName: ada.device.deviceName,
  deviceType: 'mobile',
  deviceFingerprint: ada.device.deviceFingerprint,
  keyAlgorithm: 'ES256',
  registeredWith: null,
  tenants: null,
  isActive: true,
  hasPushToken: true,
  lastUsedAt: timestamp,
  createdAt: timestamp,
  updatedAt: timestamp,
  trustedAt: timestamp,
  trusted: true,
  email: ada.user.email,
  removedAt: null,
})

const withoutTrust = ({ trusted: _, email: __, removedAt: ___, ...device }: ReturnType<typeof shown>) => device

test('the devices of a user are listed, without their keys and push tokens', async () => {
  expect(await here.json(['device', 'list', '--user', ada.user.email])).toEqual([shown()])
  const { stdout } = await here.run(['device', 'list', '--user', ada.user.email])
  expect(stdout).toMatch(new RegExp(`^${ada.device.id}\t${ada.device.deviceName}\tmobile\tES256\ttrusted\t`, 'm'))
})

test('the list of devices is refused for an unknown user', async () => {
  const ran = await here.run(['device', 'list', '--user', 'eve@example.com'])
  expect(ran).toEqual({ code: 1, stdout: '', stderr: 'error: User not found\n' })
})

test('`device trust` makes a device on probation trusted, also for running servers', async () => {
  const older = { ...ada.web.caller, sessionId: (await openOlderSession(server, ada.user.id)).id }
  const added = await registerTestDevice(server, older)
  const { tokens } = await signInByDevice(server, added)
  const level = async () => (await server.countersign.auth.authenticate({ token: tokens.accessToken })).trustLevel
  expect(await level()).toBe('standard')
  const { stdout } = await here.run(['device', 'list', '--user', ada.user.email])
  expect(stdout).toMatch(new RegExp(`^${added.device.id}\t.*\ton probation\t`, 'm'))

  const trusted = await here.json(['device', 'trust', added.device.id])
  expect(trusted).toMatchObject({ id: added.device.id, trusted: true, trustedAt: timestamp, isActive: true })
  expect(await level()).toBe('high')
  await here.run(['device', 'revoke', added.device.id])
  const again = await here.run(['device', 'trust', added.device.id])
  expect(again).toEqual({ code: 1, stdout: '', stderr: 'error: Device not found\n' })
})

test('a revoked device is refused by running servers and no longer listed', async () => {
  const { accessToken } = ada.mobile.tokens
  expect(await server.countersign.auth.authenticate({ token: accessToken })).toMatchObject({ deviceId: ada.device.id })

  expect(await here.json(['device', 'revoke', ada.device.id])).toEqual({ ...withoutTrust(shown()), isActive: false })

  await expect(server.countersign.auth.authenticate({ token: accessToken })).rejects.toThrow('Invalid or expired token')
  expect(await here.json(['device', 'list', '--user', ada.user.email])).toEqual([])
  const again = await here.run(['device', 'revoke', ada.device.id])
  expect(again).toEqual({ code: 1, stdout: '', stderr: 'error: Device not found\n' })
})

test('the devices of all users are listed, filtered by type, and removed devices in a list of their own', async () => {
  const { device, user } = await signInNewDeviceUser(server)
  const idsOf = async (...args: readonly string[]) =>
    ((await here.json(['device', 'list', ...args])) as readonly { id: string }[]).map(({ id }) => id)
  expect(await idsOf()).toEqual([device.id])
  expect(await idsOf('--type', 'mobile', '--user', String(user.id))).toEqual([device.id])
  expect(await idsOf('--type', 'tablet')).toEqual([])
  expect(await idsOf('--removed')).toContain(ada.device.id)

  const [removed] = (await here.json(['device', 'list', '--removed', '--user', ada.user.email])) as readonly unknown[]
  expect(removed).toMatchObject({ isActive: false, removedAt: timestamp, trusted: false, email: ada.user.email })
  expect((await here.run(['device', 'list', '--removed'])).stdout).toContain('\tremoved\t')
  expect(await here.run(['device', 'list', '--type', 'fridge'])).toMatchObject({ code: 2 })
})
