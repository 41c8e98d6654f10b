import type { Output } from '@countersign/contract'
import { commitTo, isCommitment } from '../shared/commitment.ts'

/** A pending confirmation, as the service lists it. */
export type Pending = Output<'confirmations.pending'>['confirmations'][number]

const DOMAIN = 'countersign.confirmation.v1'

type Shown = Omit<Pending, 'challenge' | 'createdAt'>

const statementOf = ({ confirmationId, userId, actionType, actionPayload, expiresAt }: Shown): object => ({
  confirmationId,
  userId,
  actionType,
  actionPayload,
  expiresAt,
})

/**
 * Computes the challenge of the action that a confirmation shows. The page computes the challenge itself, from the data shown.
 * Only then does a signature mean "I saw this".
 */
export const challengeOf = (shown: Shown): Promise<string> => commitTo(DOMAIN, shown.nonce, statementOf(shown))

/** Returns whether the challenge of a confirmation belongs to the action shown. The phone must not sign any other challenge. */
export const isGenuine = (pending: Pending): Promise<boolean> => isCommitment(DOMAIN, pending, statementOf(pending))
