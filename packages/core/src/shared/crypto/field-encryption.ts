import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import { errorOf } from '../errors.ts'
import { memoize } from '../memoize.ts'
import type { Random } from '../random.ts'
import { fromBase64Url, toBase64Url } from './base64.ts'
import type { KeyRing } from './key-ring.ts'

/** The place of a field in the database. The ciphertext is bound to the place, so a copied field cannot be decrypted elsewhere. */
export interface FieldPlace {
  readonly table: string
  readonly column: string
  /** The primary key of the row. */
  readonly row: string
}

/** Returns the key object of a secret: Node's ciphers take several times as long with the bytes of a key. */
const secretKey = memoize((secret: Uint8Array) => createSecretKey(secret))

/** An encrypted field as it is stored: `v1.<kid>.<nonce>.<ciphertext and tag>`. */
export type SealedField = string & { readonly __brand: 'SealedField' }

/** Returns the id of the key that the field names. */
export const keyIdOf = (field: SealedField): string => field.split('.')[1] ?? ''

/** Returns how every field begins that is encrypted with this key. */
export const fieldPrefix = (kid: string): string => `v1.${kid}.`

/** Returns whether the text is an encrypted field. Other texts are base64, which has no dots. */
export const isSealedField = (text: string): text is SealedField => text.startsWith('v1.')

/** The text in place of an encrypted field whose content was erased with its user. */
export const erasedField = '' as SealedField

/** The field was erased with the data of its user. */
export class DataErased extends errorOf('data_erased') {}

/** The field was moved or changed, or its key is not on the ring. The message says nothing about the content. */
export class FieldNotOpened extends Error {
  override readonly name = 'FieldNotOpened'
  /** The id of the key that the ring lacks; `undefined` if the key is on the ring. */
  readonly missingKey: string | undefined
  constructor(message: string, { missingKey, ...options }: ErrorOptions & { readonly missingKey?: string } = {}) {
    super(message, options)
    this.missingKey = missingKey
  }
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
/** 128 bits (NIST SP 800-38D §5.2.1.2). Without this length, Node's decipher accepts a tag of four bytes. */
const TAG_BYTES = 16

const associatedData = (place: FieldPlace, kid: string): Uint8Array =>
  Buffer.from(JSON.stringify(['countersign.field.v1', place.table, place.column, place.row, kid]))

/** Encrypts a field with the first key of the ring (AES-256-GCM with a new random 96-bit nonce). */
export const sealField = (ring: KeyRing, random: Random, place: FieldPlace, plaintext: string): SealedField => {
  const { kid, secret } = ring.current
  const nonce = random.bytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, secretKey(secret), nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(associatedData(place, kid))
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${kid}.${toBase64Url(nonce)}.${toBase64Url(sealed)}` as SealedField
}

/** Decrypts a field with the key that the field names. @throws FieldNotOpened, DataErased */
export const openField = (ring: KeyRing, place: FieldPlace, field: SealedField): string => {
  if (field === erasedField) throw new DataErased()
  const [version, kid = '', nonceText = '', sealedText = '', ...rest] = field.split('.')
  const secret = ring.secrets.get(kid)
  const nonce = fromBase64Url(nonceText)
  const sealed = fromBase64Url(sealedText)
  if (version !== 'v1' || rest.length > 0 || nonce?.length !== NONCE_BYTES || sealed === undefined || sealed.length < TAG_BYTES) {
    throw new FieldNotOpened('malformed field')
  }
  if (secret === undefined) throw new FieldNotOpened('the key of this field is not on the ring', { missingKey: kid })
  const decipher = createDecipheriv(ALGORITHM, secretKey(secret), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(associatedData(place, kid))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  try {
    return decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw new FieldNotOpened('the field was moved or changed', { cause })
  }
}

export interface Opening {
  readonly encryptionKeys: KeyRing
}

/** The keys and the randomness that encrypt fields. */
export interface Sealing extends Opening {
  readonly random: Random
}

/** Columns with encrypted fields, by table. The primary key of each table is `id`. */
export type SealedColumns = Readonly<Record<string, readonly string[]>>

/** Returns the functions for the declared columns of a part, and no others, so that each column is rotated and examined. */
export const sealedColumnsOf = <C extends SealedColumns>() => {
  /** Encrypts and decrypts the texts of a column. A field can be decrypted only in the row for which it was encrypted. */
  const sealedColumn = <T extends keyof C & string>(table: T, column: C[T][number]) => ({
    seal: ({ encryptionKeys, random }: Sealing, row: string, text: string): SealedField =>
      sealField(encryptionKeys, random, { table, column, row }, text),
    /** @throws FieldNotOpened, DataErased */
    open: ({ encryptionKeys }: Opening, row: string, field: SealedField): string =>
      openField(encryptionKeys, { table, column, row }, field),
  })
  /** Returns the functions of `sealedColumn` for a column whose texts are the JSON of values of one type. */
  const sealedJson = <V>(...place: Parameters<typeof sealedColumn>) => {
    const { seal, open } = sealedColumn(...place)
    return {
      seal: (deps: Sealing, row: string, value: V): SealedField => seal(deps, row, JSON.stringify(value)),
      /** @throws FieldNotOpened, DataErased */
      open: (deps: Opening, row: string, field: SealedField): V => JSON.parse(open(deps, row, field)) as V,
    }
  }
  return { sealedColumn, sealedJson }
}
