import type { RelyingParty } from '@countersign/core'

/** Credentials that the page offers to sign in with. Whoever reaches the page reads them, so they are no secret. */
export interface DemoUser {
  readonly email: string
  readonly password: string
}

/** What the page is told when it opens, as `/playground/settings.json`. */
export interface PlaygroundSettings {
  /** Its origins are read at each request. Opened elsewhere, the page says so and leads to the first of them. */
  readonly relyingParty: Pick<RelyingParty, 'origins'>
  /** Whose credentials the page offers; nobody's where left out. */
  readonly demoUser?: DemoUser | undefined
}
