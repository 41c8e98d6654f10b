import type { CallingService } from '../../identity/authentication/calling-service.ts'
import type { Instant } from '../../shared/clock.ts'
import { type ConfirmationView, viewOf } from '../confirmations/read-confirmation.ts'
import type { ApprovalDeps } from '../deps.ts'
import { requireConfirmation } from './confirmation-of-service.ts'

/** A confirmation as a service sees it. */
export interface ServiceConfirmationView extends ConfirmationView {
  /** `null` until the approval. */
  readonly approvedAt: Instant | null
  /** `null` until the approval is consumed. */
  readonly consumedAt: Instant | null
  /** The time at which the lock or the disabling of the account voided the approval. */
  readonly voidedAt: Instant | null
}

/** The input for `readForService`. */
export interface ReadForService {
  readonly service: CallingService
  readonly confirmationId: string
}

/**
 * Returns a confirmation for a service, with its status at this moment. @throws MissingScope, ConfirmationNotFound
 * @example const { status } = await countersign.services.confirmation({ service, confirmationId })
 */
export async function readForService(
  deps: Pick<ApprovalDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  { service, confirmationId }: ReadForService,
): Promise<ServiceConfirmationView> {
  const confirmation = await requireConfirmation(deps, service, confirmationId, 'confirmation.read:')
  const { evidence, consumedAt, voidedAt } = confirmation
  return {
    ...(await viewOf(deps, confirmation, deps.clock.now())),
    approvedAt: evidence?.approvedAt ?? null,
    consumedAt,
    voidedAt,
  }
}
