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

const none: Settings = {
  name: 'Countersign',
  color: null,
  logoUrl: null,
  logoDarkUrl: null,
  language: null,
  supportUrl: null,
  imprintUrl: null,
  privacyUrl: null,
  emptyInboxText: null,
  lockedText: null,
  server: null,
  vapidPublicKey: null,
  passkeyApprovals: false,
  forgot: false,
  verification: 'never',
  demoUser: null,
}

const isUrl = (schemes: RegExp) => (value: unknown) =>
  typeof value === 'string' && URL.canParse(value, location.href) && schemes.test(new URL(value, location.href).protocol)
const isPage = isUrl(/^https?:$/)
const isOwnText = (value: unknown): boolean =>
  typeof value === 'string' || Object.values(value as object).every((text) => typeof text === 'string')

/** The form of each member whose value could break the page, or lead a person to another place. */
const forms: Partial<Record<keyof Settings, (value: unknown) => boolean>> = {
  name: (value) => typeof value === 'string' && value !== '',
  color: (value) => /^#[0-9a-f]{6}$/i.test(String(value)),
  logoUrl: isPage,
  logoDarkUrl: isPage,
  language: (value) => typeof value === 'string',
  supportUrl: isUrl(/^(?:https?|mailto|tel):$/),
  imprintUrl: isPage,
  privacyUrl: isPage,
  emptyInboxText: isOwnText,
  lockedText: isOwnText,
  server: (value) => /^https?:\/\/[^?#@\s]+$/.test(String(value)),
  vapidPublicKey: (value) => typeof value === 'string',
  passkeyApprovals: (value) => typeof value === 'boolean',
  forgot: (value) => typeof value === 'boolean',
  verification: (value) => value === 'never' || value === 'always',
}

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
  const wrong = Object.entries(read).filter(([name, value]) => value !== null && forms[name as keyof Settings]?.(value) === false)
  found.push(...wrong.map(([name]) => name))
  return {
    ...none,
    ...(read as Partial<Settings>),
    ...Object.fromEntries(wrong.map(([name]) => [name, none[name as keyof Settings]])),
  }
}

export const settings: Settings = await readSettings()

const baseUrl = settings.server ?? new URL('..', location.origin + location.pathname).href

/** Creates a client of the service. Each has a session of its own. */
export const createService = (store: TokenStore = memoryTokenStore()): LiveClient =>
  createClient({ baseUrl, store, events: liveEvents })
