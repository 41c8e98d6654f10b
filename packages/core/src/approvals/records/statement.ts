import type { Statement } from '@countersign/contract'
import { type Displays, withDelegator } from '@countersign/contract/display'
import canonicalize from 'canonicalize'

/**
 * The purposes of a signed statement. A vote for an approval request has a purpose of its own, so it never counts as the
 * confirmation of one person.
 */
export type StatementDomain = 'countersign.confirmation.v1' | 'countersign.approval.v1'

/** Returns the purpose of a statement. */
export const domainOf = ({ approval }: Pick<Statement, 'approval'>): StatementDomain =>
  approval === undefined ? 'countersign.confirmation.v1' : 'countersign.approval.v1'

/** Returns the canonical JSON (RFC 8785) of a statement. @throws TypeError for a statement without a canonical form */
export const statementText = (statement: Statement): string => {
  const text = canonicalize(statement)
  if (text === undefined) throw new TypeError('a statement has a canonical form')
  return text
}

/**
 * The members of a statement that the row of a confirmation keeps in no column of their own. The words of a vote are kept once,
 * with its request.
 */
export type StoredStatement = Pick<
  Statement,
  'iss' | 'scope' | 'subject' | 'requester' | 'onBehalfOf' | 'context' | 'operation' | 'approval'
> & { readonly display?: Displays }

/** Returns the words of one vote: the words of the request, and in the vote of a delegate also the person who delegated. */
export const wordsOfVote = (display: Displays, approval: Statement['approval']): Displays =>
  approval?.delegatedBy === undefined ? display : withDelegator(display, approval.delegatedBy.name)
