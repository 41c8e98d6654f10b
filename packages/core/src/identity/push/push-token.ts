import { createHmac } from 'node:crypto'
import type { Instant } from '../../shared/clock.ts'
import type { Opening } from '../../shared/crypto/field-encryption.ts'
import type { BaseDeps } from '../base-deps.ts'
import type { StoredPushToken } from '../records/device.ts'
import { sealedColumn } from '../sealed-columns.ts'
import { subscriptionOf } from './subscription.ts'

/** The encrypted push tokens, by table. */
const fields = {
  devices: sealedColumn('devices', 'push_token'),
  passkey_push_tokens: sealedColumn('passkey_push_tokens', 'push_token'),
}

export type PushTokenTable = keyof typeof fields

/** Returns a keyed hash, which finds the other devices with the token. A subscription is found by its endpoint alone. */
const pushTokenDigest = async ({ digestKey }: Pick<BaseDeps, 'digestKey'>, pushToken: string): Promise<string> =>
  createHmac('sha256', await digestKey('devices/push-tokens'))
    .update(subscriptionOf(pushToken)?.endpoint ?? pushToken)
    .digest('base64url')

/** Returns whether two push tokens reach the same app with the same keys. Browsers may write a subscription in several ways. */
export const isSamePushToken = (one: string, other: string): boolean => {
  const normal = (pushToken: string) => JSON.stringify(subscriptionOf(pushToken) ?? pushToken)
  return normal(one) === normal(other)
}

/** A push token with the time at which the app set it, and the language that the app asked for. */
export interface PushAddress {
  readonly pushToken: string
  readonly setAt: Instant
  readonly language?: string
}

/** Encrypts a push token, bound to its row. Time and language are before the token: none contains a NUL. */
export const sealPushToken = async (
  deps: Pick<BaseDeps, 'encryptionKeys' | 'random' | 'digestKey'>,
  id: string,
  { pushToken, setAt, language = '' }: PushAddress,
  table: PushTokenTable = 'devices',
): Promise<StoredPushToken> => ({
  sealed: fields[table].seal(deps, id, `${setAt}\0${language}\0${pushToken}`),
  digest: await pushTokenDigest(deps, pushToken),
})

/** Decrypts a push token. @throws FieldNotOpened, DataErased */
export const openPushToken = (
  deps: Opening,
  id: string,
  sealed: StoredPushToken['sealed'],
  table: PushTokenTable = 'devices',
): PushAddress => {
  const [setAt, language, pushToken = ''] = fields[table].open(deps, id, sealed).split('\0')
  return { pushToken, setAt: Number(setAt), ...(language && { language }) }
}
