import type { DeviceType } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import type { Bound } from '../records/bound.ts'
import type { IdentityStores } from '../stores.ts'

/** A new device or passkey that is on probation. */
export interface OnProbation {
  readonly kind: 'device' | 'passkey'
  readonly userId: number
  readonly id: string
  readonly name: string
  readonly type: DeviceType | 'passkey'
  /** The RFC 7638 thumbprint of the public key. */
  readonly keyThumbprint: string
  /** The client that registers. */
  readonly requestedFrom: SeenClient
  /** The session that registers. */
  readonly registeredBy: string
  /** The bound of the device or passkey. */
  readonly tenants: Bound
  readonly now: Instant
}

/** A vouching that waits for the decision of a trusted device: a confirmation of type `device_register`. */
export interface StartedVouching {
  readonly confirmationId: string
  /**
   * The number that the registering page shows, and that the user types on the trusted device; `null` for a session that could
   * approve the vouching. The number is never told to the side that types it.
   */
  readonly matchNumber: string | null
}

/** Asks the trusted devices of a user to vouch for a new device or passkey. Approvals implement this port. */
export interface VouchingPort {
  /** Starts a vouching in the transaction of the registration, unless no device can vouch, or too many were started. */
  onProbation(added: OnProbation, tx: IdentityStores): Promise<StartedVouching | undefined>
  /** Notifies the trusted devices that a new one waits to be vouched for. Called after the commit of the registration. */
  announce(started: StartedVouching): void
}

/** The port of a host without approvals: devices stay on probation until a code or an admin trusts them. */
export const noVouching: VouchingPort = { onProbation: async () => undefined, announce: () => {} }
