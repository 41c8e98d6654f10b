import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { signInNewDeviceUser } from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'

const given = async () => {
  const test = await createTestCountersign()
  const user = await signInNewDeviceUser(test)
  const { countersign } = test
  const login = async (signer = user.signer) => {
    const { id, challenge } = await countersign.mobile.beginLogin({ deviceFingerprint: user.device.deviceFingerprint })
    return countersign.mobile.finishLogin({ sessionId: id, signedChallenge: signer.sign(challenge) })
  }
  const lines = () => test.logger.entries.filter(({ event }) => event.endsWith('_refused'))
  return { ...test, ...user, login, lines }
}

describe('the log has the reason for a refused device login', () => {
  it('with the user and the device, if the device signed', async () => {
    const test = await given()
    await test.countersign.users.disable({ email: test.user.email })
    await expect(test.login()).rejects.toThrow('Invalid biometric token')
    const fields = { reason: 'user', userId: test.user.id, deviceId: test.device.id }
    expect(test.lines()).toStrictEqual([{ level: 'warn', event: 'device_login_refused', fields }])
  })

  it('without the user, if the signature is wrong or the challenge was used', async () => {
    const test = await given()
    await expect(test.login(createTestDevice('ES256'))).rejects.toThrow('Invalid biometric token')
    const { id, challenge } = await test.countersign.mobile.beginLogin({ deviceFingerprint: test.device.deviceFingerprint })
    const answer = { sessionId: id, signedChallenge: test.signer.sign(challenge) }
    await test.countersign.mobile.finishLogin(answer)
    await expect(test.countersign.mobile.finishLogin(answer)).rejects.toThrow('Invalid biometric token')
    expect(test.lines()).toStrictEqual(
      ['signature', 'challenge'].map((reason) => ({ level: 'info', event: 'device_login_refused', fields: { reason } })),
    )
  })

  it('if the device was removed during the login', async () => {
    const test = await given()
    const storage: typeof test.storage = {
      ...test.storage,
      transaction: async (work) => {
        await test.countersign.devices.remove({ caller: test.web.caller, deviceId: test.device.id })
        return test.storage.transaction(work)
      },
    }
    const { countersign, logger } = await createTestCountersign({ ...test, storage })
    const { id, challenge } = await countersign.mobile.beginLogin({ deviceFingerprint: test.device.deviceFingerprint })
    const login = countersign.mobile.finishLogin({ sessionId: id, signedChallenge: test.signer.sign(challenge) })
    await expect(login).rejects.toThrow('Invalid biometric token')
    expect(logger.entries).toMatchObject([{ level: 'warn', fields: { reason: 'device_removed', deviceId: test.device.id } }])
  })
})

describe('the log has the reason for a refused refresh token', () => {
  const lineOf = (reason: string, { userId, sessionId }: { readonly userId: number; readonly sessionId: string }) => ({
    level: 'info',
    event: 'refresh_token_refused',
    fields: { reason, userId, sessionId },
  })

  it('with the user and the session, if the service signed the token', async () => {
    const test = await given()
    const { web, mobile, countersign } = test
    const { refreshToken } = web.tokens
    const refuse = (token: string) => expect(countersign.auth.refresh({ refreshToken: token })).rejects.toThrow('refresh token')
    await refuse(mobile.tokens.refreshToken)
    await refuse(web.tokens.accessToken)
    const next = await countersign.auth.refresh({ refreshToken })
    await refuse(refreshToken)
    await refuse(next.refreshToken)
    test.clock.advance(days(40))
    await refuse(next.refreshToken)
    expect(test.lines()).toStrictEqual([
      lineOf('wrong_use', mobile.caller),
      lineOf('wrong_use', web.caller),
      lineOf('reused', web.caller),
      lineOf('session_ended', web.caller),
      lineOf('expired', web.caller),
    ])
  })

  it('without the user, for any other text and for a service token', async () => {
    const test = await given()
    const { countersign } = test
    const { token } = await countersign.serviceTokens.issue({ service: 'billing' })
    const changed = `${test.web.tokens.refreshToken.slice(0, -10)}${'A'.repeat(10)}`
    for (const refreshToken of ['x', changed, token]) await expect(countersign.auth.refresh({ refreshToken })).rejects.toThrow()
    expect(test.lines()).toStrictEqual(
      ['signature', 'signature', 'wrong_use'].map((reason) => ({
        level: 'info',
        event: 'refresh_token_refused',
        fields: { reason },
      })),
    )
  })
})
