import { createClient, type LiveClient, memoryTokenStore, type TokenStore } from '@countersign/client-sdk'
import { liveEvents } from '@countersign/client-sdk/events'

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
  /** The URL of the service; the origin of the page by default. */
  readonly server?: string
  /** The key of the service with which browsers subscribe to Web Push; `null` if the service sends none. */
  readonly vapidPublicKey: string | null
  /** True if passkeys approve at this service. If the file does not say so, the page offers none for that. */
  readonly passkeyApprovals: boolean
  /** The credentials of the demo user, which everybody may know; `null` without a demo user. */
  readonly demoUser: { readonly email: string; readonly password: string } | null
}

const none: Settings = {
  name: 'Countersign',
  color: null,
  logoUrl: null,
  logoDarkUrl: null,
  language: null,
  vapidPublicKey: null,
  passkeyApprovals: false,
  demoUser: null,
}

/** The settings. Without an answer, such as offline on the first visit, the page has its own name and colour. */
export const settings: Settings = await fetch('settings.json').then(
  async (response) => (response.ok ? { ...none, ...((await response.json()) as Partial<Settings>) } : none),
  () => none,
)

/** The URL of the service. */
const baseUrl = settings.server ?? new URL('..', location.origin + location.pathname).href

/** Creates a client of the service. Each has a session of its own. */
export const createService = (store: TokenStore = memoryTokenStore()): LiveClient =>
  createClient({ baseUrl, store, events: liveEvents })
