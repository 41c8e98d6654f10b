import type { Hono } from 'hono'
import type { Host } from '../host.ts'

/** Credentials that the page offers to sign in with. Whoever reaches the page reads them, so they are no secret. */
export interface DemoUser {
  readonly email: string
  readonly password: string
}

/** What the page asks for when it opens, as `/playground/settings.json`. */
export interface PlaygroundSettings {
  /** The web origins that may use passkeys: opened elsewhere, the page says so and leads there. */
  readonly origins: readonly string[]
  /** Whose credentials the page offers; nobody's where left out. */
  readonly demoUser?: DemoUser | undefined
}

/** The page at `/playground`, for `createApp`. */
export interface Playground {
  readonly mount: (app: Hono, host: Host) => void
}
