import { toIsoTimestamp } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { type StatementDomain, type StatementMembers, statementText } from '../records/confirmation-challenge.ts'
import { confirmationFields } from './sealed-fields.ts'

/** The content of the challenge of a confirmation. */
export interface SignedStatement {
  readonly domain: StatementDomain
  /** 64 bytes as padded base64. */
  readonly nonce: string
  /** Canonical JSON (RFC 8785). */
  readonly text: string
}

/** Returns the members that the statement of a confirmation has in addition to the members of version 1. @throws FieldNotOpened */
export const statementMembersOf = (
  deps: Pick<ApprovalDeps, 'encryptionKeys'>,
  { id, statementMembers }: Pick<Confirmation, 'id' | 'statementMembers'>,
): StatementMembers => (statementMembers === null ? {} : confirmationFields.statementMembers.open(deps, id, statementMembers))

/** Returns the statement that the challenge of a stored confirmation covers. @throws FieldNotOpened */
export const statementOf = (
  deps: Pick<ApprovalDeps, 'encryptionKeys'>,
  confirmation: Pick<
    Confirmation,
    'id' | 'userId' | 'actionType' | 'payload' | 'expiresAt' | 'nonce' | 'domain' | 'statementMembers'
  >,
): SignedStatement => {
  const { id, userId, actionType, payload, expiresAt, nonce, domain } = confirmation
  const actionPayload = JSON.parse(confirmationFields.payload.open(deps, id, payload)) as Record<string, unknown>
  const statement = { confirmationId: id, userId, actionType, actionPayload, expiresAt: toIsoTimestamp(expiresAt) }
  return {
    domain,
    nonce: confirmationFields.nonce.open(deps, id, nonce),
    text: statementText(statement, statementMembersOf(deps, confirmation)),
  }
}
