import type { RelyingParty } from '@countersign/core'
import type { Hono } from 'hono'
import type { Host } from '../host.ts'

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

/** The page at `/playground`, for `createApp`. */
export interface Playground {
  readonly mount: (app: Hono, host: Host) => void
}
