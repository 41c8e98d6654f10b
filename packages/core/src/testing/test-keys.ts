import { generateReceiptKeyRing, parseReceiptKeyRing, type ReceiptKeyRing } from '../approvals/receipt-keys/receipt-key-ring.ts'
import { argon2Hasher } from '../identity/hashing/argon2-hasher.ts'
import type { PasswordHasher } from '../identity/hashing/hasher.ts'
import { generateKeyRing, type KeyRing, parseKeyRing } from '../shared/crypto/key-ring.ts'
import { systemRandom } from '../shared/random.ts'

/** Returns a key ring with one random key of 256 bits. */
export const aKeyRing = (): KeyRing => parseKeyRing(generateKeyRing(systemRandom), { exactly: true })

/** Returns a ring with one new Ed25519 key for receipts. */
export const aReceiptKeyRing = (): ReceiptKeyRing => parseReceiptKeyRing(generateReceiptKeyRing())

/** Returns an argon2id hasher with the lowest possible cost (RFC 9106 §3.1). Its hashes protect nothing. */
export const cheapHasher = (): PasswordHasher => argon2Hasher({ memoryKib: 8, passes: 1 })
