import { randomBytes } from 'node:crypto'
import type { OperationName } from '@countersign/contract'
import { argon2Hasher, type PasswordHasher } from '@countersign/core'
import {
  aKeyRing,
  cheapHasher,
  createTestUser,
  createVirtualPasskey,
  hostileTokens,
  testPassword,
  type VirtualPasskey,
} from '@countersign/core/testing'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { registerPasskey } from '../src/testing/passkeys.ts'
import { recordingStorage } from '../src/testing/recording-storage.ts'
import { signDeviceLogin, signIn, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type SendOptions, type TestAnswer, type TestApp } from '../src/testing/test-app.ts'

interface Request {
  readonly input: Readonly<Record<string, unknown>>
  readonly options?: SendOptions
}

/** The observable parts of a response, and the work behind it. */
interface Look {
  readonly seen: ReturnType<typeof seen>
  readonly work: { readonly calls: readonly string[]; readonly hashes: number }
}

/** An app that counts the work for each response. */
const countingApp = async () => {
  const recording = recordingStorage(await createTestStorage())
  const hasher = cheapHasher()
  let hashes = 0
  const passwords: PasswordHasher = {
    ...hasher,
    hash: (password) => {
      hashes += 1
      return hasher.hash(password)
    },
    verify: (hash, password, guard, like) => {
      hashes += 1
      return hasher.verify(hash, password, guard, like)
    },
  }
  const test = await createTestApp({ storage: recording.storage, passwords })
  const look = async (name: OperationName, input: Request['input'], options: SendOptions = {}): Promise<Look> => {
    recording.takeCalls()
    hashes = 0
    // Uses a new address for each request, so that no rate limit counts them together.
    address += 1
    const answer = await test.call(name, input, { address: `198.51.100.${address}`, ...options })
    return { seen: seen(answer), work: { calls: recording.takeCalls(), hashes } }
  }
  let address = 0
  const lookAtEach = async (name: OperationName, requests: readonly Request[]): Promise<readonly Look[]> => {
    const looks: Look[] = []
    for (const { input, options } of requests) looks.push(await look(name, input, options))
    return looks
  }
  return { test, look, lookAtEach }
}

/** Returns a response without its random parts. */
const seen = ({ status, headers, text, body }: TestAnswer) => {
  const lasting = [...headers].map(([name, value]) => [name, name === 'x-request-id' ? value.length : value])
  return { status, headers: lasting, length: text.length, body: status >= 400 ? body : shapeOf(body) }
}

/** Returns the members of an object and the length of each text. */
const shapeOf = (value: unknown): unknown => {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).map(([name, member]) => [name, shapeOf(member)])
}

const allAlike = <T>(all: readonly T[]): void => {
  expect(all.length).toBeGreaterThan(1)
  for (const one of all) expect(one).toStrictEqual(all[0])
}

describe('a failed password login', () => {
  const password = 'not the password of anybody'
  /** A hash of another system. */
  const importedHash = '$2b$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS'

  it('gives the same answer at the same cost for known, unknown, imported, disabled, locked and passwordless users', async () => {
    const { test, look, lookAtEach } = await countingApp()
    const imported = { email: 'imported@example.test', passwordHash: importedHash }
    await test.countersign.users.import({ lines: [{ line: 1, value: imported }] })
    const known = await createTestUser(test)
    const disabled = await createTestUser(test)
    await test.countersign.users.disable({ email: disabled.email })
    const locked = await createTestUser(test)
    await test.countersign.users.lock({ email: locked.email })
    const without = await test.countersign.users.create({ email: 'without@example.test' })
    // The first login of a process reads one row more, whoever logs in.
    await look('auth.login', { email: 'first@example.test', password })
    const tries = [
      { email: known.email, password },
      { email: imported.email, password },
      { email: 'unknown@example.test', password },
      { email: disabled.email, password },
      { email: disabled.email, password: testPassword },
      { email: locked.email, password },
      { email: locked.email, password: testPassword },
      { email: without.email, password },
      { email: 'no address at all', password },
      { email: `${'x'.repeat(290)}@example.test`, password },
      { email: `  ${known.email.toUpperCase()} `, password: testPassword.slice(1) },
    ]
    const looks = await lookAtEach(
      'auth.login',
      tries.map((input) => ({ input })),
    )
    allAlike(looks.map(({ seen: one }) => one))
    allAlike(looks.map(({ work }) => work))
    expect(looks[0]?.seen.body).toEqual({ message: 'Invalid email or password', statusCode: 401, code: 'invalid_credentials' })
    expect(looks[0]?.work.hashes).toBe(1)
  })

  it('imitates the hashes of accounts for an unknown email, in the same way for all emails', async () => {
    const likes: (string | null | undefined)[] = []
    const hasher = cheapHasher()
    const passwords: PasswordHasher = {
      ...hasher,
      verify: (hash, given, guard, like) => {
        likes.push(like)
        return hasher.verify(hash, given, guard, like)
      },
    }
    const test = await createTestApp({ passwords })
    const lines = Array.from({ length: 20 }, (_, index) => ({
      line: index + 1,
      value: { email: `imported-${index}@example.test`, passwordHash: index < 10 ? importedHash : null },
    }))
    await test.countersign.users.import({ lines })
    for (let tries = 0; tries < 200; tries += 1) {
      const email = `unknown-${tries}@example.test`
      await test.call('auth.login', { email, password }, { address: `198.51.100.${tries}` })
    }
    const imitated = likes.filter((like) => like === importedHash).length
    expect(imitated).toBeGreaterThan(60)
    expect(imitated).toBeLessThan(140)
  })

  it('delays every account in the same way after twenty failures', async () => {
    const { test, look } = await countingApp()
    const known = await createTestUser(test)
    const last = async (email: string, from: string) => {
      for (let tries = 0; tries < 20; tries += 1) await look('auth.login', { email, password }, { address: from })
      // The rate limit of the category allows requests again, but the delay is not over.
      test.clock.advance(12_000)
      return look('auth.login', { email, password }, { address: from })
    }
    const looks = [await last(known.email, '192.0.2.1'), await last('unknown@example.test', '192.0.2.2')]
    allAlike(looks.map(({ seen: one }) => one))
    allAlike(looks.map(({ work }) => work))
    expect(looks[0]?.seen.status).toBe(429)
    expect(looks[0]?.work.hashes).toBe(0)
  })

  it('delays every account in the same way if many addresses guess', async () => {
    const { test, look } = await countingApp()
    const known = await createTestUser(test)
    const last = async (email: string) => {
      for (let tries = 0; tries < 100; tries += 1) await look('auth.login', { email, password })
      return look('auth.login', { email, password })
    }
    const looks = [await last(known.email), await last('unknown@example.test')]
    allAlike(looks.map(({ seen: one }) => one))
    allAlike(looks.map(({ work }) => work))
    expect(looks[0]?.seen.status).toBe(429)
    expect(looks[0]?.work.hashes).toBe(0)
  })
})

describe('a forgotten password', () => {
  it('gets the same answer at the same cost for every email, also past the limit of an email', async () => {
    const { test, look, lookAtEach } = await countingApp()
    const known = await createTestUser(test)
    const locked = await createTestUser(test)
    await test.countersign.users.lock({ email: locked.email })
    const without = await test.countersign.users.create({ email: 'without@example.test' })
    const emails = [known.email, locked.email, without.email, 'unknown@example.test', 'no address at all']
    const requests = emails.map((email) => ({ input: { email } }))
    // The first request of a process reads one row more.
    await look('password.forgot', { email: 'first@example.test' })
    for (let time = 0; time < 2; time += 1) {
      const looks = await lookAtEach('password.forgot', requests)
      allAlike(looks.map(({ seen: one }) => one))
      allAlike(looks.map(({ work }) => work))
      expect(looks[0]).toMatchObject({ seen: { status: 202 }, work: { hashes: 0 } })
    }
  })
})

describe('redeeming a code', () => {
  it('gives the same answer at the same cost for every code that names no account', async () => {
    const { test, lookAtEach } = await countingApp()
    const user = await createTestUser(test)
    const replaced = await test.countersign.users.resetPassword({ email: user.email })
    const used = await test.countersign.users.resetPassword({ email: user.email })
    await test.countersign.password.setWithCode({ code: used.code, newPassword: 'another good password' })
    const codes = [replaced.code, used.code, '0'.repeat(26), 'no code at all']
    const looks = await lookAtEach(
      'password.redeem',
      codes.map((code) => ({ input: { code, newPassword: 'a third good password' } })),
    )
    allAlike(looks.map(({ seen: one }) => one))
    allAlike(looks.map(({ work }) => work))
    expect(looks[0]?.seen.body).toEqual({ message: 'Invalid or expired code', statusCode: 401, code: 'invalid_one_time_code' })
    expect(looks[0]?.work.hashes).toBe(0)
  })
})

describe('a device login', () => {
  it('begins with the same answer at the same cost for known and unknown fingerprints', async () => {
    const { test, lookAtEach } = await countingApp()
    const user = await signInWithDevice(test)
    const removed = await signInWithDevice(test)
    await test.ask('devices.remove', { deviceId: removed.device.id }, { token: removed.token })
    const fingerprints = [user.device.deviceFingerprint, removed.device.deviceFingerprint, 'unknown']
    const looks = await lookAtEach(
      'mobile.beginLogin',
      fingerprints.map((deviceFingerprint) => ({ input: { deviceFingerprint } })),
    )
    allAlike(looks.map(({ seen: one }) => one))
    allAlike(looks.map(({ work }) => work))
    expect(looks[0]?.seen.status).toBe(200)
  })

  it('fails with the same answer at the same cost for known and unknown fingerprints, a disabled user and a locked user', async () => {
    const { test, lookAtEach } = await countingApp()
    const user = await signInWithDevice(test)
    const disabled = await signInWithDevice(test)
    await test.countersign.users.disable({ email: disabled.user.email })
    const locked = await signInWithDevice(test)
    await test.countersign.users.lock({ email: locked.user.email })
    const sign = (deviceFingerprint: string) =>
      signDeviceLogin(test, { signer: user.signer, device: { ...user.device, deviceFingerprint } })
    const { signedChallenge: wrong } = await sign('another')
    const inputs = [
      { ...(await sign(user.device.deviceFingerprint)), signedChallenge: wrong },
      { ...(await sign('unknown')), signedChallenge: wrong },
      await sign('unknown'),
      { ...(await sign(disabled.device.deviceFingerprint)), signedChallenge: wrong },
      { ...(await sign(locked.device.deviceFingerprint)), signedChallenge: wrong },
      // The key of the device is proved, so only the work must be alike: its holder learns that the account is closed.
      await signDeviceLogin(test, disabled),
      await signDeviceLogin(test, locked),
    ]
    const looks = await lookAtEach(
      'mobile.finishLogin',
      inputs.map((input) => ({ input })),
    )
    const closed = looks.slice(-2)
    allAlike(looks.slice(0, -2).map(({ seen: one }) => one))
    allAlike(looks.map(({ work }) => work))
    const common = { message: 'Invalid biometric token', statusCode: 401 }
    expect(looks[0]?.seen.body).toEqual({ ...common, code: 'invalid_biometric_token' })
    const told = { ...common, code: 'account_locked' }
    const since = expect.any(String)
    expect(closed.map(({ seen: { body } }) => body)).toEqual([
      { ...told, details: { reason: 'disabled', since } },
      { ...told, details: { reason: 'locked', since } },
    ])
  })
})

describe('a passkey login', () => {
  /** A user with one passkey that looks like the decoy of an unknown user. */
  const userLike = async (test: TestApp, unknown: string) => {
    const { publicKey } = await test.ask('passkeys.beginLogin', { email: unknown })
    const signedIn = await signIn(test)
    for (const { id, transports = [] } of publicKey.allowCredentials) {
      const credentialId = randomBytes(Buffer.from(id, 'base64url').length)
      await registerPasskey(test, signedIn.token, createVirtualPasskey({ credentialId, transports }))
      test.clock.advance(1)
    }
    return signedIn.user.email
  }

  it('begins with the same answer at the same cost for known and unknown emails, disabled users and users without passkeys', async () => {
    const { test, lookAtEach } = await countingApp()
    const unknown = 'unknown@example.test'
    const known = await userLike(test, unknown)
    const emails = [unknown, known, unknown.toUpperCase(), known.toUpperCase()]
    const looks = await lookAtEach(
      'passkeys.beginLogin',
      emails.map((email) => ({ input: { email } })),
    )
    allAlike(looks.map(({ seen: one }) => one))
    allAlike(looks.map(({ work }) => work))
    expect(looks[0]?.seen.status).toBe(200)

    const without = await createTestUser(test)
    const disabled = await userLike(test, unknown)
    await test.countersign.users.disable({ email: disabled })
    const others = await lookAtEach(
      'passkeys.beginLogin',
      [without.email, disabled].map((email) => ({ input: { email } })),
    )
    allAlike([...looks, ...others].map(({ work }) => work))
    allAlike([...looks, ...others].map(({ seen: { status, headers } }) => ({ status, headers })))
  })

  it('offers the same passkeys every time for one email', async () => {
    const { test } = await countingApp()
    const unknown = 'unknown@example.test'
    for (const email of [unknown, await userLike(test, unknown)]) {
      const first = await test.ask('passkeys.beginLogin', { email })
      test.clock.advance(86_400_000)
      const second = await test.ask('passkeys.beginLogin', { email })
      expect(second.publicKey.allowCredentials).toEqual(first.publicKey.allowCredentials)
      expect(second.publicKey.challenge).not.toBe(first.publicKey.challenge)
    }
  })

  it('fails with the same answer at the same cost for every user', async () => {
    const { test, lookAtEach } = await countingApp()
    const { user, token } = await signIn(test)
    const passkey = await registerPasskey(test, token)
    const disabled = await signIn(test)
    const shutOut = await registerPasskey(test, disabled.token)
    await test.countersign.users.disable({ email: disabled.user.email })
    const stranger = createVirtualPasskey()
    const wrong = { signature: () => randomBytes(71) }
    const answers = async (email: string | undefined, holder: VirtualPasskey, changes = {}) => {
      const { challengeId, publicKey } = await test.ask('passkeys.beginLogin', email === undefined ? {} : { email })
      return { challengeId, credential: holder.get(publicKey, changes) }
    }
    const inputs = [
      await answers(user.email, passkey, wrong),
      await answers(user.email, stranger),
      await answers('unknown@example.test', stranger),
      await answers('unknown@example.test', passkey),
      await answers(undefined, stranger, { userHandle: passkey.userHandle ?? null }),
      await answers(disabled.user.email, shutOut),
      await answers(user.email, passkey, { clientData: { origin: 'https://evil.test' } }),
      await answers(user.email, passkey, { flags: { userPresent: false } }),
      // The passkey is proved, so only the work must be alike: its holder learns that the account is closed.
      await answers(undefined, shutOut),
    ]
    const looks = await lookAtEach(
      'passkeys.finishLogin',
      inputs.map((input) => ({ input })),
    )
    allAlike(looks.slice(0, -1).map(({ seen: one }) => one))
    expect(looks.at(-1)?.seen.body).toMatchObject({ message: 'Invalid passkey', statusCode: 401, code: 'account_locked' })
    allAlike(looks.map(({ work }) => work))
    expect(looks[0]?.seen.body).toEqual({ message: 'Invalid passkey', statusCode: 401, code: 'invalid_passkey' })
  })
})

describe('a refused token', () => {
  const serviceName = 'billing'
  const requestOf = (token: string): Request => ({ input: { serviceName }, options: { token } })

  /** Tokens with one fault that only the storage reveals. */
  const endedTokens = async (test: TestApp): Promise<readonly string[]> => {
    const loggedOut = await signInWithDevice(test)
    const disabled = await signInWithDevice(test)
    const removed = await signInWithDevice(test)
    const reused = await signInWithDevice(test)
    await test.ask('auth.logout', { refreshToken: loggedOut.tokens.refreshToken }, { token: loggedOut.token })
    await test.countersign.users.disable({ email: disabled.user.email })
    await test.ask('devices.remove', { deviceId: removed.device.id }, { token: removed.token })
    for (let times = 0; times < 2; times += 1) await test.call('auth.refresh', { refreshToken: reused.tokens.refreshToken })
    return [loggedOut.token, disabled.token, disabled.deviceToken, removed.deviceToken, reused.token]
  }

  it('gets no reason from /internal/verify', async () => {
    const { test, lookAtEach } = await countingApp()
    const user = await signInWithDevice(test)
    const issued = await test.countersign.serviceTokens.issue({ service: serviceName })
    const other = await test.countersign.serviceTokens.issue({ service: 'another' })
    await test.countersign.serviceTokens.revoke({ id: issued.id })
    const stranger = await signIn(await createTestApp({ jwtKeys: aKeyRing() }))
    const forged = hostileTokens(test.jwtKeys, user.token).map(({ token }) => token)
    const ended = await endedTokens(test)
    const tokens = [
      ...forged.filter((token) => token === token.trim() && !/[\0\r\n]/.test(token)),
      ...ended,
      issued.token,
      other.token,
      stranger.token,
      user.tokens.refreshToken,
      user.deviceTokens.refreshToken,
      'x',
    ]
    const looks = await lookAtEach('internal.verify', tokens.map(requestOf))
    // Some texts do not even look like a token, which the sender knows.
    const refused = looks.filter((one) => (one.seen.body as { message: string }).message !== 'Authentication required')
    allAlike(refused.map(({ seen: one }) => one))
    expect(refused.length).toBeGreaterThan(120)
    expect(refused[0]?.seen.body).toStrictEqual({ valid: false, message: 'Invalid or expired token', statusCode: 401 })
  })

  it('of an ended session is refused at the same cost, however the session ended', async () => {
    const { test, lookAtEach } = await countingApp()
    const looks = await lookAtEach('internal.verify', (await endedTokens(test)).map(requestOf))
    allAlike(looks.map(({ seen: one }) => one))
    allAlike(looks.map(({ work }) => work))
    expect(looks[0]?.work.calls).toEqual(['sessions.status'])
  })
})

describe('the duration of a failed login, with production password hashing,', () => {
  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

  /** Returns how much longer a login to the first account takes than a login to the second, as the median of alternating pairs. */
  const ratioOf = async (passwords: PasswordHasher): Promise<number> => {
    const test = await createTestApp({ passwords, options: { rateLimits: 'off' } })
    const { email } = await createTestUser(test)
    const time = async (account: string): Promise<number> => {
      const startedAt = performance.now()
      await test.call('auth.login', { email: account, password: 'not the password' })
      return performance.now() - startedAt
    }
    const times: { known: number; unknown: number }[] = []
    for (let pair = 0; pair < 15; pair += 1) {
      times.push({ known: await time(email), unknown: await time('unknown@example.test') })
    }
    return median(times.map(({ known }) => known)) / median(times.map(({ unknown }) => unknown))
  }

  it('does not reveal whether the account exists', async () => {
    const ratio = await ratioOf(argon2Hasher())
    expect(ratio).toBeGreaterThan(1 / 2)
    expect(ratio).toBeLessThan(2)
  })

  it('would reveal it if no hash were computed for unknown accounts', async () => {
    const hasher = argon2Hasher()
    const careless: PasswordHasher = {
      ...hasher,
      verify: async (hash, password, guard) => hash !== null && hasher.verify(hash, password, guard),
    }
    expect(await ratioOf(careless)).toBeGreaterThan(2)
  })
})
