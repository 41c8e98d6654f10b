import type { KeyRing, ReceiptKeyRing, SealedFieldsReport } from '@countersign/core'
import { lostFields } from '@countersign/core/storage'
import { type Config, findExposedSecrets, findLocalSecrets, StartupError } from '@countersign/server'
import { type Finding, failed, notConfigured, ok } from './check.ts'

type ConfiguredKeys = Pick<Config, 'jwtKeys' | 'encryptionKeys' | 'receiptKeys'>

export interface FoundKeys {
  readonly tokens: KeyRing | undefined
  readonly fields: KeyRing | undefined
  readonly receipts: ReceiptKeyRing | undefined
  /** True if one of the keys comes from the local secrets file. */
  readonly isLocal: boolean
  readonly complaints: readonly string[]
}

const messageOf = (error: unknown): string => {
  if (error instanceof StartupError) return error.message
  throw error
}

/** Finds the keys without creating any. */
export const findKeys = async ({ jwtKeys, encryptionKeys, receiptKeys }: ConfiguredKeys): Promise<FoundKeys> => {
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
    return { ...given, complaints: [messageOf(error)] }
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
