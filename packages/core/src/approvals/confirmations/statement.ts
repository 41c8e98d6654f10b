import type { Statement } from '@countersign/contract'
import type { Displays } from '@countersign/contract/display'
import { toIsoTimestamp } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { ApprovalDeps } from '../deps.ts'
import { requestDisplay } from '../records/approval-request.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { type StatementDomain, type StoredStatement, statementDomain, statementText, wordsOfVote } from '../records/statement.ts'
import type { ApprovalStores } from '../stores.ts'
import { confirmationFields } from './sealed-fields.ts'

/** The content of the challenge of a confirmation. */
export interface SignedStatement {
  readonly domain: StatementDomain
  /** 64 bytes as padded base64. */
  readonly nonce: string
  /** Canonical JSON (RFC 8785). */
  readonly text: string
  readonly statement: Statement
}

type Opening = Pick<ApprovalDeps, 'encryptionKeys'>

/** Returns the members of the statement that the row keeps. @throws FieldNotOpened, DataErased */
export const storedStatementOf = (deps: Opening, { id, statement }: Pick<Confirmation, 'id' | 'statement'>): StoredStatement =>
  confirmationFields.statement.open(deps, id, statement)

const displayOf = (
  deps: Opening,
  { approvalId }: Confirmation,
  { display, approval }: StoredStatement,
  displays: ReadonlyMap<string, SealedField>,
): Displays => {
  if (approvalId === null) return display ?? {}
  const sealed = displays.get(approvalId)
  return sealed === undefined ? {} : wordsOfVote(requestDisplay.open(deps, approvalId, sealed), approval)
}

/**
 * Returns the statements that the challenges of confirmations cover, in the order of the confirmations.
 *
 * @throws FieldNotOpened, DataErased
 */
export const statementsOf = async (
  deps: Opening,
  { approvalRequests }: Pick<ApprovalStores, 'approvalRequests'>,
  confirmations: readonly Confirmation[],
): Promise<readonly SignedStatement[]> => {
  const requests = new Set(confirmations.flatMap(({ approvalId }) => approvalId ?? []))
  const displays: ReadonlyMap<string, SealedField> =
    requests.size === 0 ? new Map() : await approvalRequests.displaysOf([...requests])
  return confirmations.map((confirmation) => {
    const { id, actionType, actionTypeVersion, createdAt, expiresAt } = confirmation
    const stored = storedStatementOf(deps, confirmation)
    const statement: Statement = {
      ...stored,
      confirmationId: id,
      createdAt: toIsoTimestamp(createdAt),
      expiresAt: toIsoTimestamp(expiresAt),
      actionType,
      actionTypeVersion,
      actionPayload: confirmationFields.payload.open(deps, id, confirmation.payload).value,
      display: displayOf(deps, confirmation, stored, displays) as Statement['display'],
    }
    const nonce = confirmationFields.nonce.open(deps, id, confirmation.nonce)
    return { domain: statementDomain(statement), nonce, text: statementText(statement), statement }
  })
}

/** Returns the statement that the challenge of one confirmation covers. @throws FieldNotOpened, DataErased */
export const statementOf = async (
  deps: Opening,
  stores: Pick<ApprovalStores, 'approvalRequests'>,
  confirmation: Confirmation,
): Promise<SignedStatement> => {
  const [signed] = await statementsOf(deps, stores, [confirmation])
  if (signed === undefined) throw new TypeError('a confirmation has a statement')
  return signed
}
