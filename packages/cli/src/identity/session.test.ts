import { type DeviceUser, signInNewDeviceUser } from '@countersign/core/testing'
import type { OpenCountersign } from '@countersign/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCore } from '../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

let here: Workplace
let server: OpenCountersign
let ada: DeviceUser
beforeAll(async () => {
  here = createWorkplace()
  server = await openCore(here)
  ada = await signInNewDeviceUser(server)
})
afterAll(async () => {
  await server.close()
  here.remove()
})

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const live = {
  passkeyId: null,
  userVerified: false,
  rememberMe: false,
  address: null,
  userAgent: null,
  endedAt: null,
  endReason: null,
}
const times = { createdAt: timestamp, lastUsedAt: timestamp, rotatedAt: timestamp, refreshExpiresAt: timestamp }

test('the live sessions of a user are listed, without the ids of their tokens', async () => {
  const { web, mobile, user, device } = ada
  const mine = { ...live, ...times, userId: user.id }
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
