import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { keyAlgorithms } from '@countersign/contract'
import { createTestDevice, type SignatureForm, type SignOptions } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { withPendingPayment } from '../../testing/pending-payment.ts'
import { aPayment, initiatePayment, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'

/** RS256 signs as PKCS#1 v1.5, which is the default of `verify`. */
const verifying = { ES256: {}, RS256: {}, PS256: { padding: 6, saltLength: 32 } } as const

const forms: readonly (readonly [SignatureForm, SignOptions])[] = (['der', 'p1363'] as const).flatMap((form) =>
  (['text', 'bytes'] as const).flatMap((over) =>
    (['base64', 'base64url'] as const).map((encoding) => [form, { form, over, encoding }] as const),
  ),
)

describe('an approval over HTTP', () => {
  it.each(keyAlgorithms)('keeps the signature of %s in every form, with the key that verifies it', async (algorithm) => {
    const test = createTestApp({ options: { rateLimits: 'off' } })
    const signer = createTestDevice(algorithm)
    const user = await signInWithDevice(test, { algorithm, signer })
    const { token, deviceToken, device } = user
    for (const [form, options] of forms) {
      const { confirmationId, challenge } = await initiatePayment(test, token)
      test.clock.advance(1000)
      const signedChallenge = signer.sign(challenge, options)
      await test.ask('confirmations.verify', { confirmationId, deviceId: device.id, signedChallenge }, { token: deviceToken })
      const stored = await test.storage.confirmations.ofUser(user.user.id, confirmationId)
      const signature = Buffer.from(signedChallenge, options.encoding)
      expect(stored).toMatchObject({
        status: 'approved',
        deviceId: device.id,
        evidence: {
          signature: signature.toString('base64url'),
          algorithm,
          over: options.over,
          approvedAt: test.clock.now(),
          publicKey: signer.publicKey,
        },
      })
      const evidence = stored?.evidence
      if (evidence === undefined || evidence === null) throw new Error('the evidence is stored')
      const signed = Buffer.from(stored?.challenge ?? '', evidence.over === 'text' ? 'utf8' : 'base64')
      const dsaEncoding = form === 'der' ? ('der' as const) : ('ieee-p1363' as const)
      const key = { key: evidence.publicKey, ...verifying[algorithm], ...(algorithm === 'ES256' && { dsaEncoding }) }
      expect(verifySignature('sha256', signed, key, Buffer.from(evidence.signature, 'base64url'))).toBe(true)
      const { kty, crv, x, y, e, n } = createPublicKey(evidence.publicKey).export({ format: 'jwk' })
      const members = JSON.stringify(kty === 'EC' ? { crv, kty, x, y } : { e, kty, n })
      expect(evidence.keyThumbprint).toBe(createHash('sha256').update(members).digest('base64url'))
    }
  })

  it('keeps what the signature was over: the nonce and the payload give the challenge, after the device is removed too', async () => {
    const test = createTestApp()
    const { verify, user, device, token, deviceToken, confirmationId } = await withPendingPayment(test)
    const { confirmations } = await test.ask('confirmations.pending', {}, { token: deviceToken })
    const [shown] = confirmations
    expect((await verify()).status).toBe(200)
    const before = await test.storage.confirmations.ofUser(user.id, confirmationId)
    await test.ask('devices.remove', { deviceId: device.id }, { token })
    expect(await test.storage.confirmations.ofUser(user.id, confirmationId)).toStrictEqual(before)
    const statement = { actionPayload: aPayment, actionType: 'payment_approval', confirmationId }
    const rest = { expiresAt: shown?.expiresAt, userId: user.id }
    const bytes = Buffer.concat([
      Buffer.from('countersign.confirmation.v1\0'),
      Buffer.from(shown?.nonce ?? '', 'base64'),
      Buffer.from(JSON.stringify({ ...statement, ...rest })),
    ])
    expect(createHash('sha512').update(bytes).digest('base64')).toBe(before?.challenge)
  })

  it('that is refused, or a rejection, leaves no evidence', async () => {
    const test = createTestApp()
    const { verify, reject, user, confirmationId } = await withPendingPayment(test)
    const read = () => test.storage.confirmations.ofUser(user.id, confirmationId)
    expect((await verify(createTestDevice('ES256').sign('another challenge'))).status).toBe(401)
    expect(await read()).toMatchObject({ status: 'pending', evidence: null })
    expect((await reject()).status).toBe(200)
    expect((await verify()).status).toBe(410)
    expect(await read()).toMatchObject({ status: 'rejected', evidence: null, deviceId: null })
  })
})
