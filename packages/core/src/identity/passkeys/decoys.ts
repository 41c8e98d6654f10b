import { hkdfSync } from 'node:crypto'
import type { Instant } from '../../shared/clock.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { type CredentialCounts, countsInForce, type DecoyProfile, type PasskeyForm } from '../decoys/decoy-profile.ts'
import { type Draws, drawsOf } from '../decoys/draw.ts'
import { coseAlgorithms, type Passkey } from './passkey.ts'

const { ES256, RS256 } = coseAlgorithms

/** The members of a passkey that login options show. The algorithm decides how long a refusal takes. */
export type ListedPasskey = Pick<Passkey, 'id' | 'transports' | 'algorithm'>

/** Common forms of passkeys: phones and password managers, computers, security keys. The shares add up to 1. */
const commonForms: readonly (PasskeyForm & { readonly share: number })[] = [
  { idBytes: 20, transports: ['hybrid', 'internal'], algorithm: ES256, share: 0.375 },
  { idBytes: 16, transports: ['hybrid', 'internal'], algorithm: ES256, share: 0.25 },
  { idBytes: 32, transports: ['internal'], algorithm: ES256, share: 0.125 },
  { idBytes: 32, transports: ['internal'], algorithm: RS256, share: 0.125 },
  { idBytes: 48, transports: ['nfc', 'usb'], algorithm: ES256, share: 0.0625 },
  { idBytes: 64, transports: ['usb'], algorithm: ES256, share: 0.0625 },
]

/** The number of passkey users above which decoys imitate only forms that exist in the installation. */
const ENOUGH_USERS = 30

/** The assumed share of users who have one more passkey, and the number of users that the assumption counts for. */
const ANOTHER = { share: 0.25, users: 4 }

const usersWithAtLeast = ({ passkeysPerUser }: CredentialCounts, least: number): number =>
  passkeysPerUser.reduce((sum, { passkeys, users }) => (passkeys >= least ? sum + users : sum), 0)

/**
 * Draws the number of passkeys step by step, as often as users go from one number to the next. So the distribution has a tail
 * beyond the longest real list.
 */
const numberOf = (counts: CredentialCounts, draws: Draws, most: number): number => {
  let number = 1
  while (number < most) {
    const another = usersWithAtLeast(counts, number + 1) + ANOTHER.share * ANOTHER.users
    if (draws.uniform(`after ${number}`) * (usersWithAtLeast(counts, number) + ANOTHER.users) >= another) break
    number += 1
  }
  return number
}

const nameOf = ({ idBytes, transports, algorithm }: PasskeyForm): string => `${idBytes} ${algorithm} ${transports.join()}`

/** Returns the forms of the installation with their weights. Common forms are added where the installation has few users. */
const formsOf = (counts: CredentialCounts) => {
  const guessed = counts.passkeyForms.length === 0 ? 1 : Math.max(0, ENOUGH_USERS - usersWithAtLeast(counts, 1))
  const weights = new Map<string, { readonly item: PasskeyForm; readonly name: string; readonly weight: number }>()
  const add = (item: PasskeyForm, weight: number): void => {
    const name = nameOf(item)
    weights.set(name, { item, name, weight: (weights.get(name)?.weight ?? 0) + weight })
  }
  for (const form of counts.passkeyForms) add(form, form.users)
  for (const form of commonForms) add(form, form.share * guessed)
  return [...weights.values()]
}

/**
 * The input of a decoy list: the key of `passkeys/decoys`, the decoy profiles, the time and the maximum number of passkeys of a
 * user.
 */
export interface DecoySource {
  readonly key: Uint8Array
  readonly profiles: readonly DecoyProfile[]
  readonly now: Instant
  readonly most: number
}

/**
 * Returns the decoy passkeys of an email that cannot log in. Their number and forms imitate the users of the installation. They
 * stay the same for one email while its profile is in force. A new profile changes as few of them as possible. Nobody can
 * compute them without the key, and no real passkey has these ids.
 */
export const decoysOf = ({ key, profiles, now, most }: DecoySource, email: string): readonly ListedPasskey[] => {
  const draws = drawsOf(key, email)
  const counts = countsInForce(profiles, draws.uniform('phase'), now)
  const forms = formsOf(counts)
  return Array.from({ length: numberOf(counts, draws, most) }, (_, index) => {
    const form = draws.weighted(`form ${index}`, forms) ?? { idBytes: 20, transports: ['hybrid', 'internal'], algorithm: ES256 }
    const id = hkdfSync('sha512', key, new Uint8Array(0), `id ${index} ${nameOf(form)}\0${email}`, form.idBytes)
    return { id: toBase64Url(new Uint8Array(id)), transports: form.transports, algorithm: form.algorithm }
  })
}
