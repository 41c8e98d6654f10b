import type { Output } from '@countersign/contract'
import canonicalize from 'canonicalize'
import { commitTo, isCommitment } from '../shared/commitment.ts'

/** A pending confirmation, as the service lists it. */
export type Pending = Output<'confirmations.pending'>['confirmations'][number]

/** A vote for a request of several people has a purpose of its own. */
const domainOf = ({ statement }: Pending): string =>
  statement.approval === undefined ? 'countersign.confirmation.v1' : 'countersign.approval.v1'

/** Returns whether the page shows only what the statement has. */
const showsStatement = ({ statement, ...shown }: Pending): boolean => {
  const { confirmationId, createdAt, expiresAt, actionType, actionTypeVersion, actionPayload, display } = shown
  const repeated = { confirmationId, createdAt, expiresAt, actionType, actionTypeVersion, actionPayload, display }
  return canonicalize({ ...statement, ...repeated }) === canonicalize(statement)
}

/** Nobody approves a request of their own, nor does a delegate for them. */
const hasFittingRequest = ({ statement: { approval, requester, subject } }: Pending): boolean =>
  approval === undefined || ![subject.id, approval.delegatedBy?.id].includes(requester.id ?? undefined)

/**
 * Computes the challenge of the statement that a confirmation shows. The page computes the challenge itself, from the data shown.
 * Only then does a signature mean "I saw this".
 */
export const challengeOf = (shown: Pending): Promise<string> => commitTo(domainOf(shown), shown.nonce, shown.statement)

/** Returns whether the challenge of a confirmation belongs to what is shown. The phone must not sign any other challenge. */
export const isGenuine = async (pending: Pending): Promise<boolean> =>
  showsStatement(pending) && hasFittingRequest(pending) && isCommitment(domainOf(pending), pending, pending.statement)
