import { hkdfSync } from 'node:crypto'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { drawsOf, type Shares } from '../decoys/draw.ts'
import { coseAlgorithms, type Passkey } from '../records/passkey.ts'

const { ES256, RS256 } = coseAlgorithms

/** The members of a passkey that login options show. The algorithm decides how long a refusal takes. */
export type ListedPasskey = Pick<Passkey, 'id' | 'transports' | 'algorithm'>

/** Common forms of passkeys: phones and password managers, computers, security keys. */
const forms: Shares<Omit<ListedPasskey, 'id'> & { readonly idBytes: number }> = [
  { idBytes: 20, transports: ['hybrid', 'internal'], algorithm: ES256, share: 0.375 },
  { idBytes: 16, transports: ['hybrid', 'internal'], algorithm: ES256, share: 0.25 },
  { idBytes: 32, transports: ['internal'], algorithm: ES256, share: 0.125 },
  { idBytes: 32, transports: ['internal'], algorithm: RS256, share: 0.125 },
  { idBytes: 48, transports: ['nfc', 'usb'], algorithm: ES256, share: 0.0625 },
  { idBytes: 64, transports: ['usb'], algorithm: ES256, share: 0.0625 },
]

/** The probability that a list has a further passkey. */
const ANOTHER = 0.25

/** Returns the decoy passkeys of an email that cannot log in, at most `most`: always the same, and a secret without the key. */
export const decoysOf = ({ key, most }: { readonly key: Uint8Array; readonly most: number }, email: string) => {
  const draws = drawsOf(key, email)
  const decoys: ListedPasskey[] = []
  do {
    const index = decoys.length
    const { idBytes, transports, algorithm } = draws.one(`form ${index}`, forms)
    const id = hkdfSync('sha512', key, new Uint8Array(0), `id ${index}\0${email}`, idBytes)
    decoys.push({ id: toBase64Url(new Uint8Array(id)), transports, algorithm })
  } while (decoys.length < most && draws.uniform(`after ${decoys.length}`) < ANOTHER)
  return decoys
}
