import { createVirtualPasskey } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { registerDevice, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const extended = { 'Countersign-Extended': '1' }

const given = async () => {
  const test = await createTestApp()
  const owner = await signInWithDevice(test)
  test.clock.advance(11 * 60_000)
  return { test, ...owner }
}

const registerPasskey = async (test: TestApp, token: string) => {
  const { challengeId, publicKey } = await test.ask('passkeys.beginRegistration', {}, { token })
  const credential = createVirtualPasskey().create(publicKey)
  return test.ask('passkeys.finishRegistration', { challengeId, credential }, { token, headers: extended })
}

describe('the trust of devices and passkeys', () => {
  it('is shown in extended answers', async () => {
    const { test, token, device } = await given()
    const added = await registerDevice(test, token, { headers: extended })
    expect(added.device).toMatchObject({ trusted: false, trustedAt: null })
    const { devices } = await test.ask('devices.list', {}, { token, headers: extended })
    expect(devices).toMatchObject([
      { id: device.id, trusted: true, trustedAt: device.createdAt },
      { id: added.device.id, trusted: false, trustedAt: null },
    ])
    const { credential } = await registerPasskey(test, token)
    expect(credential).toMatchObject({ trusted: false, trustedAt: null })
    const { credentials } = await test.ask('passkeys.list', {}, { token, headers: extended })
    expect(credentials).toMatchObject([{ id: credential.id, trusted: false, trustedAt: null }])
  })

  it('is not shown in other answers', async () => {
    const { test, token } = await given()
    const { device } = await registerDevice(test, token)
    const { body } = await test.call('devices.list', {}, { token })
    expect(Object.keys(device)).not.toContain('trusted')
    expect(JSON.stringify(body)).not.toContain('trusted')
  })

  it('is given by an enrolment code, and a wrong code is refused with 400', async () => {
    const { test, token, user } = await given()
    const { code } = await test.countersign.users.enrol({ email: user.email })
    const { device } = await registerDevice(test, token, { headers: extended, enrolmentCode: code })
    expect(device.trusted).toBe(true)
    const again = await test.call('passkeys.beginRegistration', { enrolmentCode: code }, { token })
    expect([again.status, again.body]).toMatchObject([
      400,
      { message: 'enrolmentCode: must be an unused enrolment code of this user' },
    ])
  })
})
