import { describe, expect, it } from 'vitest'
import { createDeviceKey, makeReceipt, type ReceiptParts } from '../testing/make-receipt.ts'
import { verifyReceipt } from './index.ts'

interface Claims {
  readonly signature: Readonly<Record<'value' | 'authenticatorData' | 'clientDataJSON', string>>
}

const checked = async (changes: Partial<ReceiptParts>) => {
  const { receipt, keys } = await makeReceipt(changes)
  return verifyReceipt(receipt, { keys })
}

describe('the receipt of an approval by a passkey', () => {
  it('is genuine without a registration, and names the passkey, the relying party and the origin', async () => {
    expect(await checked({ passkey: {} })).toMatchObject({
      verdict: 'genuine',
      unchecked: [],
      registration: 'none for passkeys',
      device: { kind: 'passkey', rpId: 'example.com', origin: 'https://app.example.com', algorithm: 'ES256' },
    })
  })

  it('is refused if a byte of the signature, the authenticator data or the client data was changed', async () => {
    const deviceKey = await createDeviceKey()
    const { receipt } = await makeReceipt({ deviceKey, passkey: {} })
    const claims = JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()) as Claims
    const withSignature = (signature: Claims['signature']) =>
      checked({ deviceKey, passkey: {}, claims: { ...claims, signature }, disclosed: [] })
    expect(await withSignature(claims.signature)).toMatchObject({ verdict: 'partial' })
    for (const member of ['value', 'authenticatorData', 'clientDataJSON'] as const) {
      const bytes = Buffer.from(claims.signature[member], 'base64url')
      for (let at = 0; at < bytes.length; at += 1) {
        const flipped = Buffer.from(bytes.map((byte, place) => (place === at ? byte ^ 1 : byte)))
        const verdict = await withSignature({ ...claims.signature, [member]: flipped.toString('base64url') })
        expect(verdict, `byte ${at} of ${member}`).toMatchObject({ verdict: 'refused', step: 'signature' })
      }
    }
  })

  it('is partial without its statement', async () => {
    const verdict = await checked({ passkey: {}, disclosed: ['approver'] })
    expect(verdict).toMatchObject({ verdict: 'partial', unchecked: ['statement'], registration: 'none for passkeys' })
  })
})
