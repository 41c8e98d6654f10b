import type { Statement } from '@countersign/contract'
import type { Displays } from '@countersign/contract/display'
import type { Opening } from '../../shared/crypto/field-encryption.ts'
import { requestDisplay } from '../records/approval-request.ts'
import { type Confirmation, requestsOf } from '../records/confirmation.ts'
import {
  composeStatement,
  type StatementDomain,
  type StoredStatement,
  statementDomain,
  statementText,
} from '../records/statement.ts'
import type { ApprovalStores } from '../stores.ts'
import { confirmationFields } from './sealed-fields.ts'

export interface SignedStatement {
  readonly domain: StatementDomain
  /** 64 bytes as padded base64. */
  readonly nonce: string
  /** Canonical JSON (RFC 8785). */
  readonly text: string
  readonly statement: Statement
}

/** Returns the members of the statement that the row keeps. @throws FieldNotOpened, DataErased */
export const storedStatementOf = (deps: Opening, { id, statement }: Pick<Confirmation, 'id' | 'statement'>): StoredStatement =>
  confirmationFields.statement.open(deps, id, statement)

const wordsOfRequests = async (
  deps: Opening,
  { approvalRequests }: Pick<ApprovalStores, 'approvalRequests'>,
  requests: ReadonlySet<string>,
): Promise<ReadonlyMap<string | null, Displays>> => {
  if (requests.size === 0) return new Map()
  const sealed = await approvalRequests.displaysOf([...requests])
  return new Map([...sealed].map(([id, display]) => [id, requestDisplay.open(deps, id, display)]))
}

/** Returns the statements that the challenges of confirmations cover, in their order. @throws FieldNotOpened, DataErased */
export const statementsOf = async (
  deps: Opening,
  stores: Pick<ApprovalStores, 'approvalRequests'>,
  confirmations: readonly Confirmation[],
): Promise<readonly SignedStatement[]> => {
  const words = await wordsOfRequests(deps, stores, requestsOf(confirmations))
  return confirmations.map((confirmation) => {
    const { id, approvalId } = confirmation
    const { display, ...stored } = storedStatementOf(deps, confirmation)
    const payload = confirmationFields.payload.open(deps, id, confirmation.payload)
    // A vote has the words of its request.
    const statement = composeStatement(stored, confirmation, payload, display ?? words.get(approvalId) ?? {})
    const nonce = confirmationFields.nonce.open(deps, id, confirmation.nonce)
    return { domain: statementDomain(statement), nonce, text: statementText(statement), statement }
  })
}

/** Returns the statement that the challenge of one confirmation covers. @throws FieldNotOpened, DataErased */
export const statementOf = async (
  deps: Opening,
  stores: Pick<ApprovalStores, 'approvalRequests'>,
  confirmation: Confirmation,
): Promise<SignedStatement> => (await statementsOf(deps, stores, [confirmation]))[0] as SignedStatement
