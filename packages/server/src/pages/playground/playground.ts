import type { RelyingParty } from '@countersign/core'

/** Credentials that the page offers for signing in. Everybody who can open the page can read them, so they are not secret. */
export interface DemoUser {
  readonly email: string
  readonly password: string
}

/** The settings that the page reads from `/playground/settings.json`. */
export interface PlaygroundSettings {
  /** The origins are read at each request. On another origin, the page says so and links to the first of them. */
  readonly relyingParty: Pick<RelyingParty, 'origins'>
  /** The user whose credentials the page offers; by default no user. */
  readonly demoUser?: DemoUser | undefined
}
