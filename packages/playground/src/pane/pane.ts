import { signal } from '@preact/signals'
import { createService } from '../service/service.ts'
import { keptSession } from './kept-session.ts'

/** The outcome of the last action, in words. */
export interface Notice {
  readonly kind: 'done' | 'failed'
  readonly text: string
}

/** `undefined`: signed out. */
const session = keptSession()

/** The web application, with its tokens. The phone is a page of its own. */
export const pane = {
  client: createService(async () => session.peek()?.tokens.accessToken),
  session,
  notice: signal<Notice>(),
  /** True if an action runs. No other action starts meanwhile. */
  busy: signal(false),
}
