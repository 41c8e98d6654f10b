import { createHash, hkdfSync } from 'node:crypto'
import type { KeyRing } from '@countersign/core'
import type { Config } from '../config/config.ts'
import { namedSettings } from '../config/settings.ts'

/** The settings that must be equal on all servers of a database: digests by name, never values. */
export interface ServerSettings {
  readonly digests: Readonly<Record<string, string>>
  /** The names of the keys that the server signs or encrypts with, so every other server needs them. */
  readonly current: readonly string[]
}

/** The key rings of a server that are known. */
export interface SharedKeys {
  readonly jwtKeys: KeyRing | undefined
  readonly encryptionKeys: KeyRing | undefined
}

const valueAt = (config: Config, path: string): unknown =>
  path.split('.').reduce<unknown>((value, member) => (value as Readonly<Record<string, unknown>>)[member], config)

const plainSettings = (config: Config): readonly (readonly [variable: string, value: unknown])[] =>
  namedSettings.filter(([, row]) => row.shared).map(([name, { variable }]) => [variable, valueAt(config, name)])

const isPlainObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the same text for members in any order, because the order of gates and policies means nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isPlainObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  ) ?? ''

const digestOfValue = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('base64url')

/** Nobody who reads the digest can try guesses at the secret: it is a derived key, and the secret has at least 256 random bits. */
const digestOfSecret = (name: string, secret: Uint8Array): string =>
  Buffer.from(hkdfSync('sha256', secret, '', `countersign server settings: ${name}`, 16)).toString('base64url')

/** Returns the digests of a server's settings. A ring that is not known is left out. */
export const settingsOf = (config: Config, { jwtKeys, encryptionKeys }: SharedKeys): ServerSettings => {
  const digests = plainSettings(config).map(([name, value]) => [name, digestOfValue(value)] as const)
  const current: string[] = []
  const ofRing = (variable: string, ring: KeyRing | undefined): readonly (readonly [string, string])[] => {
    if (ring === undefined) return []
    const nameOf = (kid: string) => `${variable} (key ${kid})`
    current.push(nameOf(ring.current.kid))
    return [...ring.secrets].map(([kid, secret]) => [nameOf(kid), digestOfSecret(nameOf(kid), secret)])
  }
  const keys = [...ofRing('COUNTERSIGN_JWT_KEYS', jwtKeys), ...ofRing('COUNTERSIGN_ENCRYPTION_KEYS', encryptionKeys)]
  return { digests: Object.fromEntries([...digests, ...keys]), current }
}

/**
 * Names the settings that must be equal on two servers and are not. A name that only one server knows counts only if it is the key
 * with which this server signs or encrypts: the other may have dropped an older key, or be of another version.
 */
const differencesOf = (one: ServerSettings, other: ServerSettings): readonly string[] => {
  const unequal = Object.entries(one.digests)
    .filter(([name, digest]) => (other.digests[name] ?? digest) !== digest)
    .map(([name]) => name)
  const missing = [
    ...one.current.filter((name) => other.digests[name] === undefined),
    ...other.current.filter((name) => one.digests[name] === undefined),
  ]
  return [...unequal, ...missing]
}

/** Names the settings in which a server differs from any of the others, each once. */
export const differencesFrom = (others: readonly ServerSettings[], one: ServerSettings): readonly string[] => [
  ...new Set(others.flatMap((other) => differencesOf(one, other))),
]
