import type { Client } from '@countersign/client-sdk'
import type { Output } from '@countersign/contract'
import type { Signal } from '@preact/signals'

export interface Session {
  readonly tokens: Output<'auth.login'>
}

/** The outcome of the last action, in words. */
export interface Notice {
  readonly kind: 'done' | 'failed'
  readonly text: string
}

/** The web application, with its tokens. The phone is a page of its own. */
export interface Pane {
  readonly client: Client
  /** `undefined`: signed out. */
  readonly session: Signal<Session | undefined>
  readonly notice: Signal<Notice | undefined>
  /** Whether an action runs. No other action of this pane starts meanwhile. */
  readonly busy: Signal<boolean>
}
