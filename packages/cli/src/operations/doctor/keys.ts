import type { KeyRing } from '@countersign/core'
import type { SealedFieldsReport } from '@countersign/core/storage'
import { type Config, findExposedSecrets, findLocalSecrets, StartupError } from '@countersign/server'
import { type Finding, failed, notConfigured, ok } from './check.ts'

type ConfiguredKeys = Pick<Config, 'jwtKeys' | 'encryptionKeys'>

/** The keys that the service would use. */
export interface FoundKeys {
  readonly tokens: KeyRing | undefined
  readonly fields: KeyRing | undefined
  /** Whether one of them is of the file that was made on first use. */
  readonly isLocal: boolean
  /** What is wrong with that file. */
  readonly complaints: readonly string[]
}

const messageOf = (error: unknown): string => {
  if (error instanceof StartupError) return error.message
  throw error
}

/** Looks for the keys without making any. */
export const findKeys = async ({ jwtKeys, encryptionKeys }: ConfiguredKeys): Promise<FoundKeys> => {
  const given = { tokens: jwtKeys, fields: encryptionKeys, isLocal: false }
  try {
    const exposed = await findExposedSecrets()
    const complaints = exposed && `${exposed.path}: others can read it (mode ${exposed.mode}); \`chmod 600 ${exposed.path}\``
    const local = jwtKeys === undefined || encryptionKeys === undefined ? await findLocalSecrets() : undefined
    return {
      tokens: jwtKeys ?? local?.jwtKeys,
      fields: encryptionKeys ?? local?.encryptionKeys,
      isLocal: local !== undefined,
      complaints: complaints === undefined ? [] : [complaints],
    }
  } catch (error) {
    return { ...given, complaints: [messageOf(error)] }
  }
}

const described = ({ current, secrets }: KeyRing): string =>
  secrets.size === 1 ? current.kid : `${current.kid} and ${secrets.size - 1} older`

const counted = (count: number): string => (count === 1 ? '1 stored field' : `${count} stored fields`)

/** Stored fields that nothing configured opens: what they hold is lost until their key is back. */
const lostFields = ({ keys }: SealedFieldsReport, fields: KeyRing | undefined): readonly string[] =>
  keys
    .filter(({ unopened }) => unopened > 0)
    .map(({ kid, unopened }) =>
      fields?.secrets.has(kid) === true
        ? `${counted(unopened)} of key ${kid} cannot be opened: its secret is another, or they were changed`
        : `${counted(unopened)} cannot be opened: the key ${kid} is not in COUNTERSIGN_ENCRYPTION_KEYS`,
    )

/** Older keys exist to open what they once sealed. Of a part of the fields, nobody can say that a key opens none. */
const unusedKeys = ({ keys, isWhole }: SealedFieldsReport, { current, secrets }: KeyRing): readonly string[] =>
  isWhole ? [...secrets.keys()].filter((kid) => kid !== current.kid && !keys.some((one) => one.kid === kid)) : []

const lastOf = ({ secrets }: KeyRing): string => [...secrets.keys()].at(-1) ?? ''

/** Names the keys by their ids, which are no secret. @param sealed What the stored fields came to, where the database tells. */
export const examineKeys = (
  { tokens, fields, isLocal, complaints }: FoundKeys,
  sealed: SealedFieldsReport | undefined,
): Finding => {
  const wrong = [...complaints, ...(sealed === undefined ? [] : lostFields(sealed, fields))]
  if (wrong.length > 0) return failed(wrong.join('; '))
  if (tokens === undefined || fields === undefined) return notConfigured('made on first use, under .countersign/')
  const unused = sealed === undefined ? [] : unusedKeys(sealed, fields)
  const notes = [
    ...(isLocal ? [' (from .countersign/)'] : []),
    ...(unused.length === 0 ? [] : [`; no stored field needs ${unused.join(', ')} any more`]),
    // Removing it would change the decoys, and so give them away.
    ...(unused.includes(lastOf(fields)) ? [`, but ${lastOf(fields)}, the last, makes the decoys of passkey logins`] : []),
  ]
  return ok(`tokens: ${described(tokens)}; fields: ${described(fields)}${notes.join('')}`)
}
