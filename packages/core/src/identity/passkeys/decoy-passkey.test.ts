import { passkeyAlgorithms } from '@countersign/contract'
import { expect, it } from 'vitest'
import { parseCoseKey } from './cose-key.ts'
import { decoyPasskey } from './decoy-passkey.ts'

it.each(passkeyAlgorithms)('the decoy of the algorithm %i has a readable key, and is made once', (algorithm) => {
  const decoy = decoyPasskey(algorithm)
  expect(parseCoseKey(Buffer.from(decoy.publicKey, 'base64url'))).toMatchObject({ algorithm })
  expect(decoyPasskey(algorithm)).toBe(decoy)
})
