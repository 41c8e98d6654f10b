import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { digestKeyOf } from '../../testing/a-digest-key.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import { signInByDevice, signInNewDeviceUser, testPassword } from '../../testing/sign-in.ts'
import { InvalidAccessToken, InvalidCredentials, InvalidRefreshToken } from '../authentication/errors.ts'
import { InvalidBiometricToken } from '../devices/errors.ts'
import { decoysOf } from '../passkeys/decoys.ts'
import { InvalidPasskey } from '../passkeys/errors.ts'

/** A user with a device, a passkey and sessions, and a second countersign on the same database that refuses the email. */
const given = async () => {
  const test = await createTestCountersign()
  const signedIn = await signInNewDeviceUser(test)
  const registered = await registerTestPasskey(test, signedIn.web.caller)
  const { storage, jwtKeys, encryptionKeys, clock } = test
  const shared = { storage, jwtKeys, encryptionKeys, clock }
  const refusedEmails = [signedIn.user.email.toUpperCase()]
  const refusing = await createTestCountersign({ ...shared, options: { refusedEmails } })
  return { ...signedIn, test, refusing, registered }
}

describe('a user whose email is refused', () => {
  it('cannot log in by password, device or passkey', async () => {
    const { refusing, user, device, signer, registered } = await given()
    const login = refusing.countersign.auth.login({ email: user.email, password: testPassword })
    await expect(login).rejects.toStrictEqual(new InvalidCredentials())
    await expect(signInByDevice(refusing, { device, signer })).rejects.toStrictEqual(new InvalidBiometricToken())
    await expect(signInByPasskey(refusing, registered.virtual)).rejects.toStrictEqual(new InvalidPasskey())
  })

  it('gets the same responses as an unknown user before authentication', async () => {
    const { refusing, user } = await given()
    const { publicKey } = await refusing.countersign.passkeys.beginLogin({ email: user.email })
    const key = await digestKeyOf(refusing)('passkeys/decoys')
    const decoys = decoysOf({ key, most: 20 }, user.email)
    expect(publicKey.allowCredentials.map(({ id }) => id)).toStrictEqual(decoys.map(({ id }) => id))
  })

  it('has no valid session, and cannot refresh one', async () => {
    const { refusing, web, mobile } = await given()
    const { auth, mobile: devices } = refusing.countersign
    for (const { tokens } of [web, mobile]) {
      await expect(auth.authenticate({ token: tokens.accessToken })).rejects.toStrictEqual(new InvalidAccessToken())
      const asked = auth.introspect({ token: tokens.accessToken, serviceName: 'billing' })
      await expect(asked).rejects.toStrictEqual(new InvalidAccessToken())
    }
    await expect(auth.refresh({ refreshToken: web.tokens.refreshToken })).rejects.toStrictEqual(new InvalidRefreshToken())
    await expect(devices.refresh({ refreshToken: mobile.tokens.refreshToken })).rejects.toStrictEqual(new InvalidRefreshToken())
  })

  it('can log in again once the email is not refused, and other users are never affected', async () => {
    const { test, refusing, user, web } = await given()
    await test.countersign.auth.login({ email: user.email, password: testPassword })
    await test.countersign.auth.refresh({ refreshToken: web.tokens.refreshToken })
    await refusing.countersign.users.create({ email: 'other@example.test', password: testPassword })
    await refusing.countersign.auth.login({ email: 'other@example.test', password: testPassword })
  })

  it('can still be found and disabled by an administrator', async () => {
    const { refusing, user } = await given()
    expect(await refusing.countersign.users.find({ email: user.email })).toMatchObject({ id: user.id })
    expect(await refusing.countersign.users.disable({ email: user.email })).toMatchObject({ id: user.id })
  })

  it("can be a user of a host's directory", async () => {
    const users = memoryDirectory()
    const test = await createTestCountersign({ users, options: { refusedEmails: ['ada@example.test'] } })
    const passwordHash = await test.passwords.hash(testPassword)
    for (const email of ['ada@example.test', 'bob@example.test']) await users.add({ email, passwordHash, disabled: false })
    const login = (email: string) => test.countersign.auth.login({ email, password: testPassword })
    await expect(login('ada@example.test')).rejects.toStrictEqual(new InvalidCredentials())
    await login('bob@example.test')
  })
})

it('a value that is not a list of emails is refused', async () => {
  const options = { refusedEmails: 'ada@example.test' as unknown as readonly string[] }
  await expect(createTestCountersign({ options })).rejects.toThrow('refusedEmails must be a list of emails')
})
