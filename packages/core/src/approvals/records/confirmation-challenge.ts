import canonicalize from 'canonicalize'
import { commitTo } from '../../shared/crypto/challenge-commitment.ts'

/** The statement that a device approves: which action, for which user, and until when. */
export interface ConfirmationStatement {
  readonly confirmationId: string
  readonly userId: number
  readonly actionType: string
  readonly actionPayload: Readonly<Record<string, unknown>>
  /** ISO 8601 UTC timestamp with milliseconds, as on the wire. */
  readonly expiresAt: string
}

/**
 * The purposes of a signed statement. A statement of a registered action type is of version 2 (`StatementMembers`). A statement
 * for an approval request has a domain of its own, so it never counts as the confirmation of one person.
 */
export const statementDomains = ['countersign.confirmation.v1', 'countersign.confirmation.v2', 'countersign.approval.v1'] as const
export type StatementDomain = (typeof statementDomains)[number]

/** The members that a statement has in addition to the members of version 1. */
export type StatementMembers = Readonly<Record<string, unknown>>

/** Returns the canonical JSON (RFC 8785) of a statement. @throws TypeError for a statement without a canonical form */
export const statementText = (
  { confirmationId, userId, actionType, actionPayload, expiresAt }: ConfirmationStatement,
  members: StatementMembers = {},
): string => {
  const text = canonicalize({ ...members, confirmationId, userId, actionType, actionPayload, expiresAt })
  if (text === undefined) throw new TypeError('a statement has a canonical form')
  return text
}

/**
 * Returns the challenge of a statement of version 1 (see `commitTo`). A signature of the challenge covers the statement
 * (PSD2 RTS, article 5: dynamic linking).
 */
export const confirmationChallenge = (nonce: Uint8Array, statement: ConfirmationStatement): string =>
  commitTo('countersign.confirmation.v1', nonce, statementText(statement))
