import { type DeviceUser, signInNewDeviceUser, testPassword } from '@countersign/core/testing'
import { beforeAll, expect, test } from 'vitest'
import { openWorkplaceOfFile } from '../testing/workplace-of-file.ts'

const { here, server } = await openWorkplaceOfFile()
let ada: DeviceUser
beforeAll(async () => {
  ada = await signInNewDeviceUser(server)
})

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const live = {
  passkeyId: null,
  userVerified: false,
  host: null,
  rememberMe: false,
  tenants: null,
  address: null,
  userAgent: null,
  clientOpened: true,
  endedAt: null,
  endReason: null,
}
const times = { createdAt: timestamp, lastUsedAt: timestamp, rotatedAt: timestamp, refreshExpiresAt: timestamp }

test('the live sessions of a user are listed, without the ids of their tokens', async () => {
  const { web, mobile, user, device } = ada
  const mine = { ...live, ...times, userId: user.id, email: user.email }
  const byPassword = {
    ...mine,
    id: web.caller.sessionId,
    kind: 'standard',
    authMethod: 'password',
    deviceId: null,
  }
  const byDevice = { ...mine, id: mobile.caller.sessionId, kind: 'biometric', authMethod: 'biometric', deviceId: device.id }
  const sessions = await here.json(['session', 'list', '--user', user.email])
  expect(sessions).toHaveLength(2)
  expect(sessions).toEqual(expect.arrayContaining([byPassword, byDevice]))

  const { stdout } = await here.run(['session', 'list', '--user', user.email])
  expect(stdout).toMatch(new RegExp(`^${byPassword.id}\tpassword\t–\t`, 'm'))
})

test("a revoked session is refused by running servers, and the user's other sessions still work", async () => {
  const { web, mobile, user } = ada
  const authenticate = (token: string) => server.countersign.auth.authenticate({ token })

  const ended = await here.json(['session', 'revoke', web.caller.sessionId])
  expect(ended).toMatchObject({ id: web.caller.sessionId, endedAt: timestamp, endReason: 'revoked' })

  await expect(authenticate(web.tokens.accessToken)).rejects.toThrow('Invalid or expired token')
  expect(await authenticate(mobile.tokens.accessToken)).toMatchObject({ userId: user.id })
  expect(await here.json(['session', 'list', '--user', user.email])).toHaveLength(1)
})

test('an unknown session is refused', async () => {
  const ran = await here.run(['session', 'revoke', 'none'])
  expect(ran).toEqual({ code: 1, stdout: '', stderr: 'error: Session not found\n' })
})

test('the sessions of all users are listed in pages, each with its kind of login', async () => {
  const bob = await signInNewDeviceUser(server)
  const client = { address: '192.0.2.7', userAgent: 'Browser of Bob' }
  const { user } = bob
  const tokens = await server.countersign.auth.login({ email: user.email, password: testPassword, ...client })
  const { sessionId } = await server.countersign.auth.authenticate({ token: tokens.accessToken })

  const all = (await here.json(['session', 'list'])) as readonly { id: string; email: string; createdAt: string }[]
  expect(all[0]).toMatchObject({ id: sessionId, email: user.email, ...client })
  expect(new Set(all.map(({ email }) => email))).toEqual(new Set([user.email, ada.user.email]))
  expect((await here.run(['session', 'list'])).stdout).toContain('192.0.2.7\tBrowser of Bob')

  const first = await here.run(['session', 'list', '--limit', '1', '--json'])
  expect(JSON.parse(first.stdout)).toEqual(all.slice(0, 1))
  const position = `${all[0]?.createdAt}/${sessionId}`
  expect(first.stderr).toBe(`warning: the list goes on with --after ${position}\n`)
  expect(await here.json(['session', 'list', '--after', position])).toEqual(all.slice(1))
  expect((await here.run(['session', 'list', '--after', position])).stderr).toBe('')
})

test('ended sessions are listed with the reason of their end', async () => {
  const { user, web } = ada
  const ended = { id: web.caller.sessionId, endReason: 'revoked', endedAt: timestamp }
  expect(await here.json(['session', 'list', '--ended', '--user', String(user.id)])).toMatchObject([ended])
  expect((await here.run(['session', 'list', '--ended'])).stdout).toContain('revoked')
  expect(await here.json(['session', 'list', '--ended', '--before', '2020-01-01'])).toEqual([])
  expect(await here.json(['session', 'list', '--ended', '--since', '2020-01-01'])).toHaveLength(1)
})

test.each([
  [['--limit', '0'], 2, 'It takes a whole number from 1 to 1000'],
  [['--limit', '1001'], 2, 'It takes a whole number from 1 to 1000'],
  [['--limit', 'abc'], 2, 'It takes a whole number'],
  [['--after', 'x'], 1, 'after: must be the position of an entry'],
  [['--since', 'yesterday'], 2, 'It takes a date'],
  [['--user', 'nobody@example.com'], 1, 'User not found'],
] as const)('a list with %j is refused', async (args, code, message) => {
  const ran = await here.run(['session', 'list', ...args])
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
})

test('the list warns about client addresses that it cannot decrypt, and still lists the sessions', async () => {
  const { user } = await signInNewDeviceUser(server)
  await server.countersign.auth.login({ email: user.email, password: testPassword, address: '192.0.2.7' })
  const list = (env: Readonly<Record<string, string>>) => here.run(['session', 'list', '--user', user.email], { env })
  const known = await list({})
  expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining('192.0.2.7'), stderr: '' })
  const { stdout: otherKeys } = await here.run(['keys', 'generate', '--encryption'])
  const unknown = await list({ COUNTERSIGN_ENCRYPTION_KEYS: otherKeys.trim() })
  expect(unknown).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: 1 addresses cannot be decrypted: /) })
  expect(unknown.stdout).not.toContain('192.0.2.7')
})

test("the sessions that a service opened are listed by the name of the service, with the service's method of login", async () => {
  const { countersign } = server
  const user = await countersign.users.create({ email: 'customer@example.test' })
  const signedInAt = new Date().toISOString()
  const service = { name: 'shop', scopes: ['session.open'] }
  const { sessionId } = await countersign.sessions.openForService({ service, user: { id: user.id }, signedInAt, method: 'oidc' })
  await countersign.sessions.open({ user: { id: user.id }, signedInAt: Date.now(), method: 'oidc' })
  const list = ['session', 'list', '--opened-by', 'Shop']
  expect(await here.json(list)).toMatchObject([{ id: sessionId, host: { method: 'oidc', signedInAt, openedBy: 'shop' } }])
  expect((await here.run(list)).stdout).toMatch(new RegExp(`^${sessionId}\thost \\(oidc, opened by shop\\)\t`, 'm'))
  expect(await here.json(['session', 'list', '--opened-by', 'another'])).toEqual([])
  expect(await here.json([...list, '--ended'])).toEqual([])
})
