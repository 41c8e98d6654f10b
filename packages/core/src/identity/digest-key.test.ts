import { createTestCountersign, createTestStorage, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { openField } from '../shared/crypto/field-encryption.ts'
import type { KeyRing } from '../shared/crypto/key-ring.ts'
import { RateLimited } from '../shared/errors.ts'
import { systemRandom } from '../shared/random.ts'
import type { FullStorage } from '../storage.ts'
import { aSealedField } from '../testing/builders.ts'
import { recordingLogger } from '../testing/recording-logger.ts'
import { createTestUser } from '../testing/sign-in.ts'
import { aKeyRing } from '../testing/test-keys.ts'
import { InvalidCredentials } from './authentication/errors.ts'
import { digestKeys } from './digest-key.ts'

const [old, fresh] = ['old', 'new'].map((kid) => ({ kid, secret: aKeyRing().current.secret })) as [
  KeyRing['current'],
  KeyRing['current'],
]

/** The ring of these keys. The first one encrypts. */
const ring = (...keys: readonly [KeyRing['current'], ...KeyRing['current'][]]): KeyRing => ({
  current: keys[0],
  secrets: new Map(keys.map(({ kid, secret }) => [kid, secret])),
})

/** Two servers of one database in the first round of a change of keys. */
const twoServers = async (): Promise<readonly [TestCountersign, TestCountersign]> => {
  const one = await createTestCountersign({ encryptionKeys: ring(old) })
  const { storage, clock, jwtKeys } = one
  return [one, await createTestCountersign({ storage, clock, jwtKeys, encryptionKeys: ring(old, fresh) })]
}

const wrongLogin = ({ countersign }: TestCountersign, email: string, address: string) =>
  countersign.auth.login({ email, password: 'a wrong password of somebody', address })

describe('two servers whose rings differ', () => {
  it('count wrong passwords together', async () => {
    const [one, other] = await twoServers()
    const { email } = await createTestUser(one)
    const address = '198.51.100.7'
    for (let failure = 0; failure < 20; failure += 1) {
      await expect(wrongLogin(failure % 2 === 0 ? one : other, email, address)).rejects.toThrow(InvalidCredentials)
    }
    for (const server of [one, other]) await expect(wrongLogin(server, email, address)).rejects.toThrow(RateLimited)
  })

  it('show the same decoys for an email without passkeys', async () => {
    const [one, other] = await twoServers()
    for (let index = 0; index < 20; index += 1) {
      const email = `unknown-${index}@example.test`
      const [here, there] = await Promise.all([one, other].map(({ countersign }) => countersign.passkeys.beginLogin({ email })))
      expect(here?.publicKey.allowCredentials).toStrictEqual(there?.publicKey.allowCredentials)
    }
  })
})

describe('the secret of digests and decoys', () => {
  const deps = async (encryptionKeys: KeyRing, storage?: FullStorage, logger = recordingLogger()) => ({
    storage: storage ?? (await createTestStorage()),
    encryptionKeys,
    logger,
    random: systemRandom,
  })

  it('is the same for servers that make it at the same time', async () => {
    const storage = await createTestStorage()
    const made = await Promise.all(
      Array.from({ length: 10 }, async () => digestKeys(await deps(ring(old), storage))('login/sources')),
    )
    expect(new Set(made.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1)
  })

  it('is stored encrypted, and is not a key of the ring', async () => {
    const { storage, ...others } = await deps(ring(old))
    await digestKeys({ storage, ...others })('login/sources')
    const stored = await storage.secrets.keepFirst('digests', aSealedField())
    expect(stored).toMatch(/^v1\.old\./)
    const secret = openField(ring(old), { table: 'secrets', column: 'secret', row: 'digests' }, stored)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(Buffer.from(secret, 'base64url')).not.toStrictEqual(Buffer.from(old.secret))
  })

  it('gives a different key for each use and for each installation', async () => {
    const [mine, theirs] = [digestKeys(await deps(ring(old))), digestKeys(await deps(ring(old)))]
    const uses = ['login/sources', 'passkeys/decoys', 'devices/decoys', 'passwords/decoys'] as const
    const keys = await Promise.all([...uses.map(mine), theirs('login/sources')])
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(uses.length + 1)
  })

  it('is read again after the database did not answer', async () => {
    const { storage, ...others } = await deps(ring(old))
    const secrets = {
      ...storage.secrets,
      keepFirst: (() => {
        let calls = 0
        return async (...secret: Parameters<typeof storage.secrets.keepFirst>) => {
          calls += 1
          if (calls === 1) throw new Error('no answer')
          return storage.secrets.keepFirst(...secret)
        }
      })(),
    }
    const digestKey = digestKeys({ storage: { ...storage, secrets }, ...others })
    await expect(digestKey('login/sources')).rejects.toThrow('no answer')
    expect(await digestKey('login/sources')).toHaveLength(32)
  })

  it('does not stop logins if its key is missing, which is logged once', async () => {
    const { storage, ...others } = await deps(ring(old))
    await digestKeys({ storage, ...others })('login/sources')
    const logger = recordingLogger()
    const [one, other] = [digestKeys(await deps(ring(fresh), storage, logger)), digestKeys(await deps(ring(fresh), storage))]
    expect(await one('login/sources')).toStrictEqual(await other('login/sources'))
    await one('passkeys/decoys')
    expect(logger.entries).toStrictEqual([{ level: 'error', event: 'digest_secret_not_opened', fields: { missingKey: 'old' } }])
  })
})
