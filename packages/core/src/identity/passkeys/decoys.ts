import { hkdfSync } from 'node:crypto'
import type { Instant } from '../../shared/clock.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import type { KeyRing } from '../../shared/crypto/key-ring.ts'
import { type CredentialCounts, countsInForce, type DecoyProfile, type PasskeyForm } from '../decoys/decoy-profile.ts'
import { type Draws, decoyKey, drawsOf } from '../decoys/draw.ts'
import { coseAlgorithms, type Passkey } from './passkey.ts'

const { ES256, RS256 } = coseAlgorithms

/** The parts of a passkey that a login's options show, and the algorithm by which refusing it takes its time. */
export type ListedPasskey = Pick<Passkey, 'id' | 'transports' | 'algorithm'>

/** Common passkeys, of phones and password managers, of computers and of security keys, in parts of 1. */
const commonForms: readonly (PasskeyForm & { readonly share: number })[] = [
  { idBytes: 20, transports: ['hybrid', 'internal'], algorithm: ES256, share: 0.375 },
  { idBytes: 16, transports: ['hybrid', 'internal'], algorithm: ES256, share: 0.25 },
  { idBytes: 32, transports: ['internal'], algorithm: ES256, share: 0.125 },
  { idBytes: 32, transports: ['internal'], algorithm: RS256, share: 0.125 },
  { idBytes: 48, transports: ['nfc', 'usb'], algorithm: ES256, share: 0.0625 },
  { idBytes: 64, transports: ['usb'], algorithm: ES256, share: 0.0625 },
]

/** From so many users with passkeys on, decoys show only forms that the installation has. */
const ENOUGH_USERS = 30

/** How many of those with some number of passkeys have one more: a guess, and how many users it counts for. */
const ANOTHER = { share: 0.25, users: 4 }

const usersWithAtLeast = ({ passkeysPerUser }: CredentialCounts, least: number): number =>
  passkeysPerUser.reduce((sum, { passkeys, users }) => (passkeys >= least ? sum + users : sum), 0)

/** Goes from each number of passkeys to the next as often as users do, so that there is a tail beyond the longest list. */
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

/** The forms of the installation; the fewer its users, the more of the common ones beside them. */
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

/** Where a decoy list is made: the profiles of the installation, the time, and the most passkeys that a user may have. */
export interface DecoySource {
  readonly encryptionKeys: KeyRing
  readonly profiles: readonly DecoyProfile[]
  readonly now: Instant
  readonly most: number
}

/**
 * The passkeys of an email that has none. Their number and forms follow the installation's users. They stay the same for one
 * email for as long as its profile is in force, and a new profile changes only as many of them as it must. Nobody who lacks
 * the key can compute them, and no passkey of these ids exists.
 */
export const decoysOf = ({ encryptionKeys, profiles, now, most }: DecoySource, email: string): readonly ListedPasskey[] => {
  const key = decoyKey(encryptionKeys, 'passkeys')
  const draws = drawsOf(key, email)
  const counts = countsInForce(profiles, draws.uniform('phase'), now)
  const forms = formsOf(counts)
  return Array.from({ length: numberOf(counts, draws, most) }, (_, index) => {
    const form = draws.weighted(`form ${index}`, forms) ?? { idBytes: 20, transports: ['hybrid', 'internal'], algorithm: ES256 }
    const id = hkdfSync('sha512', key, new Uint8Array(0), `id ${index} ${nameOf(form)}\0${email}`, form.idBytes)
    return { id: toBase64Url(new Uint8Array(id)), transports: form.transports, algorithm: form.algorithm }
  })
}
