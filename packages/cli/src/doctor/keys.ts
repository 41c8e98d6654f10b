import type { KeyRing } from '@countersign/core'
import { type Config, findLocalSecrets, StartupError } from '@countersign/server'
import { type Finding, failed, notConfigured, ok } from './check.ts'

const described = ({ current, secrets }: KeyRing): string =>
  secrets.size === 1 ? current.kid : `${current.kid} and ${secrets.size - 1} older`

/** Names the keys by their ids, which are no secret. Makes none. */
export const examineKeys = async ({ jwtKeys, encryptionKeys }: Pick<Config, 'jwtKeys' | 'encryptionKeys'>): Promise<Finding> => {
  try {
    const local = jwtKeys === undefined || encryptionKeys === undefined ? await findLocalSecrets() : undefined
    const [tokens, fields] = [jwtKeys ?? local?.jwtKeys, encryptionKeys ?? local?.encryptionKeys]
    if (tokens === undefined || fields === undefined) return notConfigured('made on first use, under .countersign/')
    return ok(`tokens: ${described(tokens)}; fields: ${described(fields)}${local === undefined ? '' : ' (from .countersign/)'}`)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return failed(error.message)
  }
}
