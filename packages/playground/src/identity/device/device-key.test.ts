import { signInNewUser } from '@countersign/core/testing'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { generateKey, signChallenge } from './device-key.ts'

describe('the key of this browser', () => {
  it('can sign and cannot be read', async () => {
    const { privateKey } = await generateKey()
    expect(privateKey).toMatchObject({ extractable: false, usages: ['sign'], algorithm: { name: 'ECDSA', namedCurve: 'P-256' } })
    await expect(crypto.subtle.exportKey('pkcs8', privateKey)).rejects.toThrow()
  })

  it('has a public key in one PEM block, with lines of 64 characters', async () => {
    const { publicKey } = await generateKey()
    expect(publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n(?:[\w+/]{64}\n)+[\w+/=]{1,64}\n-----END PUBLIC KEY-----\n$/)
  })

  it('is accepted by the service, for registration and login', async () => {
    const { countersign } = await createTestCountersign()
    const { caller } = await signInNewUser({ countersign })
    const key = await generateKey()
    const announcement = { deviceName: 'My browser', deviceType: 'desktop', deviceFingerprint: 'browser-1' } as const
    const begun = await countersign.devices.beginRegistration({
      ...announcement,
      publicKey: key.publicKey,
      keyAlgorithm: 'ES256',
      caller,
    })
    const registration = { sessionId: begun.id, signedChallenge: await signChallenge(key, begun.challenge) }
    const device = await countersign.devices.finishRegistration({ ...registration, caller })
    expect(device).toMatchObject({ deviceFingerprint: 'browser-1', keyAlgorithm: 'ES256' })

    const login = await countersign.mobile.beginLogin({ deviceFingerprint: 'browser-1' })
    const signedChallenge = await signChallenge(key, login.challenge)
    const { accessToken } = await countersign.mobile.finishLogin({ sessionId: login.id, signedChallenge })
    expect(await countersign.auth.authenticate({ token: accessToken })).toMatchObject({ trustLevel: 'high' })
  })
})
