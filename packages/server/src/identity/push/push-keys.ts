import { readFile } from 'node:fs/promises'
import { importPKCS8 } from 'jose'
import type { PushConfig } from '../../config/push-config.ts'
import { failureCode, StartupError } from '../../startup-error.ts'

/** A private key, as `jose` signs with it. */
type SigningKey = Awaited<ReturnType<typeof importPKCS8>>

/** The key of a service account of Google. */
export interface FcmKey {
  readonly key: SigningKey
  readonly projectId: string
  readonly clientEmail: string
  /** The URL at which the account gets its access tokens. */
  readonly tokenUri: string
}

const textIn = (value: unknown, member: string): string => {
  const text = (value as Readonly<Record<string, unknown>>)[member]
  if (typeof text !== 'string' || text === '') throw new TypeError(`${member} is missing`)
  return text
}

/** Reads a file of keys. The message of a failure names the variable, and shows nothing of the file. @throws StartupError */
const readKey = async <K>(variable: string, takes: string, path: string, parse: (text: string) => Promise<K>): Promise<K> => {
  try {
    return await parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new StartupError([`${variable}: must be the path of ${takes} (${failureCode(cause)})`], { cause })
  }
}

/** Reads the key file of a service account (JSON). @throws StartupError */
export const readFcmKey = (path: string): Promise<FcmKey> =>
  readKey('COUNTERSIGN_FCM_CREDENTIALS_FILE', 'the JSON key file of a service account', path, async (text) => {
    const account: unknown = JSON.parse(text)
    const key = await importPKCS8(textIn(account, 'private_key'), 'RS256')
    const tokenUri = new URL(textIn(account, 'token_uri')).href
    return { key, projectId: textIn(account, 'project_id'), clientEmail: textIn(account, 'client_email'), tokenUri }
  })

/** Reads a key of Apple's push service (`.p8`). @throws StartupError */
export const readApnsKey = (path: string): Promise<SigningKey> =>
  readKey('COUNTERSIGN_APNS_KEY_FILE', 'a .p8 key of Apple', path, (text) => importPKCS8(text, 'ES256'))

/** Checks that the key file of a provider can be read and used, if the provider has such a file. @throws StartupError */
export const checkPushKey = async (config: PushConfig): Promise<void> => {
  if (config.provider === 'fcm') await readFcmKey(config.credentialsFile)
  if (config.provider === 'apns') await readApnsKey(config.keyFile)
}
