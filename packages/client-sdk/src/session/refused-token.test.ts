import { describe, expect, it } from 'vitest'
import { createDeviceClient } from '../testing/device-client.ts'
import { createTestClient, type Fault, logInNewUser } from '../testing/test-client.ts'

const DEVICES = 'GET /api/v1/auth/devices'
const REFRESH = 'POST /api/v1/auth/refresh'

/** A refusal with status 401, in the error body of the authentication service. */
const refusing =
  (message: string, code?: string): Fault =>
  () =>
    Response.json({ message, statusCode: 401, ...(code === undefined ? {} : { code }) }, { status: 401 })

describe('a refused access token', () => {
  it('is recognized by its error code, whatever the message says', async () => {
    const given = await createTestClient()
    await logInNewUser(given)
    given.faults.push(refusing('Bitte erneut anmelden', 'invalid_access_token'))
    expect(await given.client.devices.list()).toEqual({ devices: [] })
    expect(given.sent).toEqual([DEVICES, REFRESH, DEVICES])
  })

  it('is not assumed for another code, even with the same message', async () => {
    const given = await createTestClient()
    await logInNewUser(given)
    given.faults.push(refusing('Invalid or expired token', 'some_newer_code'))
    await expect(given.client.devices.list()).rejects.toMatchObject({ code: 'UNAUTHORIZED', serviceCode: 'some_newer_code' })
    expect(given.sent).toEqual([DEVICES])
  })

  it('is assumed for a 401 without a code', async () => {
    const given = await createTestClient()
    await logInNewUser(given)
    given.faults.push(refusing('Invalid or expired token'))
    expect(await given.client.devices.list()).toEqual({ devices: [] })
    expect(given.sent).toEqual([DEVICES, REFRESH, DEVICES])
  })

  it('of /internal/verify, whose body never has a code, is renewed', async () => {
    const given = await createTestClient()
    const { user } = await logInNewUser(given)
    given.test.clock.advance(9 * 3_600_000)
    expect(await given.client.internal.introspect({ serviceName: 'billing' })).toMatchObject({ claims: { id: user.id } })
    expect(given.sent).toEqual(['GET /internal/verify', REFRESH, 'GET /internal/verify'])
  })
})

describe('a 401 without a code for a signed operation', () => {
  it('can mean a wrong signature, so the client sends the signature once only', async () => {
    const { phone, deviceId, sent, faults } = await createDeviceClient()
    const input = { confirmationId: 'x', deviceId, signedChallenge: 'AAAA' }
    faults.push(refusing('Invalid device signature'))
    await expect(phone.confirmations.sendApproval(input)).rejects.toMatchObject({ code: 'UNAUTHORIZED', serviceCode: undefined })
    expect(sent).toEqual(['POST /api/v1/auth/confirmation/x/verify'])
  })
})
