import type { Client } from '@countersign/client-sdk'
import type { Output } from '@countersign/contract'
import type { Signal } from '@preact/signals'

/** The two parties of the page: a web application and a phone. */
export type PaneName = 'Web' | 'Phone'

export interface Session {
  /** `standard`: by password or passkey. `biometric`: by a device's key. */
  readonly kind: 'standard' | 'biometric'
  readonly tokens: Output<'auth.login'>
}

/** The outcome of the last action, in words. */
export interface Notice {
  readonly kind: 'done' | 'failed'
  readonly text: string
}

/** One of the two parties, with its own tokens. */
export interface Pane {
  readonly name: PaneName
  readonly client: Client
  /** `undefined`: signed out. */
  readonly session: Signal<Session | undefined>
  readonly notice: Signal<Notice | undefined>
  /** Whether an action runs. No other action of this pane starts meanwhile. */
  readonly busy: Signal<boolean>
}
