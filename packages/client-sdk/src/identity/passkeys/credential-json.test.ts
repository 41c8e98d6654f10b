import { expect, it } from 'vitest'
import { fromAsserted } from './credential-json.ts'

const bytes = (...values: number[]) => Uint8Array.from(values).buffer

const asserted = (userHandle: ArrayBuffer | null) =>
  fromAsserted({
    rawId: bytes(1),
    response: { clientDataJSON: bytes(2), authenticatorData: bytes(3), signature: bytes(4), userHandle },
  } as unknown as PublicKeyCredential)

it.each([
  ['null', null],
  ['empty, as in Safari with a security key', bytes()],
])('a user handle that is %s is not sent', (_, userHandle) => {
  expect(asserted(userHandle).response).toStrictEqual({ clientDataJSON: 'Ag', authenticatorData: 'Aw', signature: 'BA' })
})

it('a user handle is sent as base64url', () => {
  expect(asserted(bytes(255)).response.userHandle).toBe('_w')
})
