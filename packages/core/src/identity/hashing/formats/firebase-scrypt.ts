import { createCipheriv, timingSafeEqual } from 'node:crypto'
import { deriveScrypt, isScryptCostAccepted, scryptCostTakes, scryptMs } from './scrypt.ts'
import { decodeBase64, type PhcHash, type RefusedHash, type StoredHash } from './stored-hash.ts'

const KEY_BYTES = 32
const NUMBER = /^[1-9]\d?$/

const shapeTakes = 'must have the fbscrypt parameters v=1, n, r, p=1, ss and sk, and a digest as long as the signer key'

/**
 * Reads a hash of Firebase in the form of Supabase: `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=…$salt$digest`. Firebase derives a key
 * with scrypt from the password and from salt and separator (`ss`), and encrypts the project's signer key (`sk`) with that key.
 */
export const readFirebaseScrypt = ({ parameters, salt, digest }: PhcHash): StoredHash | RefusedHash => {
  const [memCost = '', rounds = ''] = [parameters.get('n'), parameters.get('r')]
  const separator = decodeBase64(parameters.get('ss') ?? '')
  const signerKey = decodeBase64(parameters.get('sk') ?? '')
  const isWhole = parameters.size === 6 && parameters.get('v') === '1' && parameters.get('p') === '1'
  if (!isWhole || !NUMBER.test(memCost) || !NUMBER.test(rounds) || separator === undefined) return { refusal: shapeTakes }
  if (signerKey === undefined || signerKey.length !== digest.length) return { refusal: shapeTakes }
  const cost = { logN: Number(memCost), blockSize: Number(rounds), parallelization: 1 }
  if (!isScryptCostAccepted(cost)) return { refusal: scryptCostTakes }
  const salted = Buffer.concat([salt, separator])
  return {
    format: 'fbscrypt',
    estimatedMs: scryptMs(cost),
    matches: async (password) => {
      const key = await deriveScrypt(password, salted, KEY_BYTES, cost)
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
      return timingSafeEqual(Buffer.concat([cipher.update(signerKey), cipher.final()]), digest)
    },
  }
}
