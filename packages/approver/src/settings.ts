import { createClient, type LiveClient, memoryTokenStore, type TokenStore } from '@countersign/client-sdk'
import { liveEvents } from '@countersign/client-sdk/events'

/** A text of the host, for all languages or by language. */
type OwnText = string | Readonly<Record<string, string>>

/** The content of `settings.json` in the folder of the page. The server makes the file; for a static host, a person writes it. */
export interface Settings {
  /** The name of the host, shown as the title. */
  readonly name: string
  /** The colour of the host, as `#rrggbb`. */
  readonly color: string | null
  readonly logoUrl: string | null
  /** The logo on a dark ground; `null` for the same logo on both grounds. */
  readonly logoDarkUrl: string | null
  /** The language of the page, if the person has chosen none; `null` for the language of the browser. */
  readonly language: string | null
  /** Where people get help: an https, mailto or tel URL. */
  readonly supportUrl: string | null
  readonly imprintUrl: string | null
  readonly privacyUrl: string | null
  /** The text of the host for an empty inbox; `null` for the page's own. */
  readonly emptyInboxText: OwnText | null
  /** The text of the host for a locked account; `null` for the page's own. */
  readonly lockedText: OwnText | null
  /** The URL of the service; `null` for the origin of the page. */
  readonly server: string | null
  /** The key of the service with which browsers subscribe to Web Push; `null` if the service sends none. */
  readonly vapidPublicKey: string | null
  /** Whether passkeys approve at this service. If the file does not say so, the page offers none for that. */
  readonly passkeyApprovals: boolean
  /** Whether the service delivers codes for forgotten passwords. */
  readonly forgot: boolean
  /** `always` if the service takes no approval by the key of this phone alone, but asks for a passkey. */
  readonly verification: 'never' | 'always'
  /** The credentials of the demo user, which everybody may know; `null` without a demo user. */
  readonly demoUser: { readonly email: string; readonly password: string } | null
}

const isUrl = (schemes: RegExp) => (value: unknown) =>
  typeof value === 'string' && URL.canParse(value, location.href) && schemes.test(new URL(value, location.href).protocol)
const isPage = isUrl(/^https?:$/)
const isText = (value: unknown): boolean => typeof value === 'string'
const isOwnText = (value: unknown): boolean => isText(value) || Object.values(value as object).every(isText)
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'

type Member<T> = readonly [missing: T, isGood: (value: unknown) => boolean]

/** For each member: its value if the file leaves it out, and which values neither break the page nor mislead a person. */
const members: { readonly [Name in keyof Settings]: Member<Settings[Name]> } = {
  name: ['Countersign', (value) => isText(value) && value !== ''],
  color: [null, (value) => /^#[0-9a-f]{6}$/i.test(String(value))],
  logoUrl: [null, isPage],
  logoDarkUrl: [null, isPage],
  language: [null, isText],
  supportUrl: [null, isUrl(/^(?:https?|mailto|tel):$/)],
  imprintUrl: [null, isPage],
  privacyUrl: [null, isPage],
  emptyInboxText: [null, isOwnText],
  lockedText: [null, isOwnText],
  server: [null, (value) => /^https?:\/\/[^?#@\s]+$/.test(String(value))],
  vapidPublicKey: [null, isText],
  passkeyApprovals: [false, isBoolean],
  forgot: [false, isBoolean],
  verification: ['never', (value) => value === 'never' || value === 'always'],
  demoUser: [null, () => true],
}
const none = Object.fromEntries(Object.entries(members).map(([name, [missing]]) => [name, missing])) as unknown as Settings

const isWrong = ([name, value]: readonly [string, unknown]): boolean =>
  value !== null && Object.hasOwn(members, name) && !members[name as keyof Settings][1](value)

/** What is wrong with the file, by the names of its members; the name of the file if the page cannot read it. */
const found: string[] = []
export const faults: readonly string[] = found

const readSettings = async (): Promise<Settings> => {
  // Without a connection, such as at the first visit, the page has its own name and colour.
  const response = await fetch('settings.json').catch(() => undefined)
  if (response === undefined) return none
  const read: unknown = response.ok ? await response.json().catch(() => undefined) : undefined
  if (typeof read !== 'object' || read === null) {
    found.push('settings.json')
    return none
  }
  found.push(...Object.entries(read).flatMap((member) => (isWrong(member) ? [member[0]] : [])))
  return { ...none, ...Object.fromEntries(Object.entries(read).filter((member) => !isWrong(member))) }
}

export const settings: Settings = await readSettings()

const baseUrl = settings.server ?? new URL('..', location.origin + location.pathname).href

/** Creates a client of the service. Each has a session of its own. */
export const createService = (store: TokenStore = memoryTokenStore()): LiveClient =>
  createClient({ baseUrl, store, events: liveEvents })
