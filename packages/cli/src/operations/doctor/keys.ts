import type { KeyRing, PublishedReceiptKey, ReceiptKeyRing, SealedFieldsReport } from '@countersign/core'
import { lostFields } from '@countersign/core/storage'
import { type Config, findExposedSecrets, findLocalSecrets, StartupError } from '@countersign/server'
import { type Finding, failed, notConfigured, ok } from './check.ts'

export interface FoundKeys {
  readonly tokens: KeyRing | undefined
  readonly fields: KeyRing | undefined
  readonly receipts: ReceiptKeyRing | undefined
  /** True if one of the keys comes from the local secrets file. */
  readonly isLocal: boolean
  readonly complaints: readonly string[]
}

/** Finds the keys without creating any. */
export const findKeys = async (config: Pick<Config, 'jwtKeys' | 'encryptionKeys' | 'receiptKeys'>): Promise<FoundKeys> => {
  const { jwtKeys, encryptionKeys, receiptKeys } = config
  const needsLocal = jwtKeys === undefined || encryptionKeys === undefined
  const given = { tokens: jwtKeys, fields: encryptionKeys, receipts: receiptKeys, isLocal: false }
  try {
    const exposed = await findExposedSecrets()
    const complaints = exposed && `${exposed.path}: others can read it (mode ${exposed.mode}); \`chmod 600 ${exposed.path}\``
    const local = needsLocal ? await findLocalSecrets() : undefined
    return {
      ...given,
      tokens: jwtKeys ?? local?.jwtKeys,
      fields: encryptionKeys ?? local?.encryptionKeys,
      receipts: receiptKeys ?? local?.receiptKeys,
      isLocal: local !== undefined,
      complaints: complaints === undefined ? [] : [complaints],
    }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return { ...given, complaints: [error.message] }
  }
}

const described = ({ current, secrets }: KeyRing): string =>
  secrets.size === 1 ? current.kid : `${current.kid} and ${secrets.size - 1} older`

/** Returns older keys that no stored field needs. Unknown if only a part of the fields was read. */
const unusedKeys = ({ keys, isWhole }: SealedFieldsReport, { current, secrets }: KeyRing): readonly string[] =>
  isWhole ? [...secrets.keys()].filter((kid) => kid !== current.kid && !keys.some((one) => one.kid === kid)) : []

/** Lists how many examined fields each key decrypts, so that the progress of a rotation is seen. */
const fieldsByKey = ({ keys, isWhole }: SealedFieldsReport): string => {
  if (keys.length === 0) return ''
  const counts = keys.map(({ kid, opened }) => `${opened} of ${kid}`).join(', ')
  return isWhole ? ` (${counts})` : ` (${counts} among the fields examined)`
}

export const examineKeys = (
  { tokens, fields, isLocal, complaints }: FoundKeys,
  sealed: SealedFieldsReport | undefined,
): Finding => {
  const lost = sealed === undefined ? [] : lostFields(sealed, fields, 'COUNTERSIGN_ENCRYPTION_KEYS')
  const nextStep = 'put the lost key back from a backup of the variable, behind the first key'
  const wrong = [...complaints, ...lost, ...(lost.length > 0 ? [nextStep] : [])]
  if (wrong.length > 0) return failed(wrong.join('; '))
  if (tokens === undefined || fields === undefined) return notConfigured('made on first use, under .countersign/')
  const unused = sealed === undefined ? [] : unusedKeys(sealed, fields)
  const notes = [
    ...(isLocal ? [' (from .countersign/)'] : []),
    ...(unused.length === 0 ? [] : [`; no stored field needs ${unused.join(', ')} any more`]),
  ]
  return ok(
    `tokens: ${described(tokens)}; fields: ${described(fields)}${sealed === undefined ? '' : fieldsByKey(sealed)}${notes.join('')}`,
  )
}

const isEnded = ({ retiredAt, revokedAt }: PublishedReceiptKey): boolean => retiredAt !== null || revokedAt !== null

/** Checks the keys of receipts. A key that is not published yet can sign, because the next start publishes it. */
export const examineReceipts = (
  { tokens, fields, receipts }: Pick<FoundKeys, 'tokens' | 'fields' | 'receipts'>,
  areOn: boolean,
  published: readonly PublishedReceiptKey[] = [],
): Finding => {
  if (!areOn) return notConfigured('off: approvals leave no receipt and cannot be redeemed')
  if (receipts === undefined) {
    return notConfigured(
      tokens === undefined || fields === undefined
        ? 'the key is made on the next start, under .countersign/'
        : 'no receipts are made: COUNTERSIGN_RECEIPT_KEYS is not set; `countersign keys generate --receipt` makes a value',
    )
  }
  const ended = new Set(published.filter(isEnded).map(({ kid }) => kid))
  const [signing] = receipts.keys.filter(({ kid }) => !ended.has(kid))
  if (signing === undefined) return failed('every key is retired or revoked, so no receipts are made; add a new key to the ring')
  const useless = receipts.keys.filter(({ kid }) => ended.has(kid)).map(({ kid }) => kid)
  const note = useless.length === 0 ? '' : `; retired or revoked, and needed no more: ${useless.join(', ')}`
  return ok(`${signing.kid} signs (${signing.alg})${note}`)
}
