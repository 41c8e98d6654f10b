import type { Output } from '@countersign/contract'
import { isContractType } from '@countersign/contract/display'
import { commitTo, isCommitment } from '../shared/commitment.ts'

/** A pending confirmation, as the service lists it. */
export type Pending = Output<'confirmations.pending'>['confirmations'][number]

type Shown = Omit<Pending, 'challenge' | 'createdAt'>

const APPROVAL = 'countersign.approval.v1'

const isRegistered = ({ actionTypeVersion }: Shown): boolean => typeof actionTypeVersion === 'string'

/** Returns the only domain that fits the members of a confirmation. */
const domainOf = (shown: Shown): string => {
  if (shown.domain === APPROVAL) return APPROVAL
  return isRegistered(shown) ? 'countersign.confirmation.v2' : 'countersign.confirmation.v1'
}

const statementOf = (shown: Shown): object => {
  const { confirmationId, userId, actionType, actionPayload, expiresAt, actionTypeVersion, display } = shown
  const { approvalId, requestedBy, count } = shown
  return {
    ...{ confirmationId, userId, actionType, actionPayload, expiresAt },
    ...(isRegistered(shown) && { actionTypeVersion, display }),
    ...(shown.domain === APPROVAL && { approvalId, requestedBy, count }),
  }
}

/** The members of a request come together, and only in its domain. Nobody approves a request of their own. */
const hasFittingRequest = ({ domain, userId, approvalId, requestedBy, count }: Shown): boolean =>
  [approvalId, requestedBy, count].every((value) => (value !== undefined && value !== null) === (domain === APPROVAL)) &&
  requestedBy !== userId

/**
 * Returns whether the page shows only words, and only a request, that the challenge can cover. Nobody can register a type of
 * the contract.
 */
const isConsistent = (shown: Shown): boolean => {
  const hasWords = typeof shown.display === 'object' && shown.display !== null
  const fits = isRegistered(shown) === hasWords && !(hasWords && isContractType(shown.actionType))
  return fits && hasFittingRequest(shown) && (shown.domain ?? domainOf(shown)) === domainOf(shown)
}

/**
 * Computes the challenge of the action that a confirmation shows. The page computes the challenge itself, from the data shown.
 * Only then does a signature mean "I saw this".
 */
export const challengeOf = (shown: Shown): Promise<string> => commitTo(domainOf(shown), shown.nonce, statementOf(shown))

/** Returns whether the challenge of a confirmation belongs to the action shown. The phone must not sign any other challenge. */
export const isGenuine = async (pending: Pending): Promise<boolean> =>
  isConsistent(pending) && isCommitment(domainOf(pending), pending, statementOf(pending))
