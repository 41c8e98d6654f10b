import { type DigestKey, digestKeys } from '../identity/digest-key.ts'
import { deriveKey } from '../shared/crypto/key-ring.ts'
import { systemRandom } from '../shared/random.ts'

/** Returns the keys for digests and decoys of a database that nobody else uses. */
export const aDigestKey = (): DigestKey => {
  const secret = systemRandom.bytes(32)
  return async (use) => deriveKey(secret, use)
}

/** Returns the keys that an installation uses for digests and decoys. */
export const digestKeyOf = ({ storage, encryptionKeys, logger }: Omit<Parameters<typeof digestKeys>[0], 'random'>): DigestKey =>
  digestKeys({ storage, encryptionKeys, logger, random: systemRandom })
