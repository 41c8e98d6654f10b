import type { Client } from '@countersign/client-sdk'
import type { Output } from '@countersign/contract'
import type { Signal } from '@preact/signals'

/** The page plays two parties: a web application and a phone. */
export type PaneName = 'Web' | 'Phone'

export interface Session {
  /** `standard`: by password or passkey. `biometric`: by a device's key. */
  readonly kind: 'standard' | 'biometric'
  readonly tokens: Output<'auth.login'>
}

/** What the last action came to, in words. */
export interface Notice {
  readonly kind: 'done' | 'failed'
  readonly text: string
}

/** One of the two parties, with tokens of its own. */
export interface Pane {
  readonly name: PaneName
  readonly client: Client
  /** `undefined`: signed out. */
  readonly session: Signal<Session | undefined>
  readonly notice: Signal<Notice | undefined>
  /** While an action runs, no other one of this pane starts. */
  readonly busy: Signal<boolean>
}
