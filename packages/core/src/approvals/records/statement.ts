import type { Statement } from '@countersign/contract'
import { type AskedWords, type Displays, isVisible, withDelegator } from '@countersign/contract/display'
import canonicalize from 'canonicalize'
import type { JSONPath } from 'jsonc-parser'
import type { User } from '../../identity/records/user.ts'
import { toIsoTimestamp } from '../../shared/clock.ts'
import { changesDirection, directions } from '../../shared/hidden-characters.ts'
import { JsonRefused } from '../../shared/json/json-refused.ts'
import type { Confirmation } from './confirmation.ts'
import type { Payload } from './payload.ts'

/** The purposes of a signed statement, so that a vote for a request never counts as the confirmation of one person. */
export type StatementDomain = 'countersign.confirmation.v1' | 'countersign.approval.v1'

export const statementDomain = ({ approval }: Pick<Statement, 'approval'>): StatementDomain =>
  approval === undefined ? 'countersign.confirmation.v1' : 'countersign.approval.v1'

/** Returns the canonical JSON (RFC 8785) of a statement. @throws Error for a statement without a canonical form */
export const statementText = (statement: Statement): string => canonicalize(statement) as string

/** The members of a statement that the row of a confirmation keeps. The words of a vote are kept once, with its request. */
export type StoredStatement = Pick<
  Statement,
  'iss' | 'tenant' | 'subject' | 'requester' | 'onBehalfOf' | 'context' | 'operation' | 'approval'
> & { readonly display?: Displays }

type Stated = Pick<Confirmation, 'id' | 'createdAt' | 'expiresAt' | 'actionType' | 'actionTypeVersion'>

/** Returns the words of one vote: the words of the request, and in the vote of a delegate also the person who delegated. */
const wordsOfVote = (display: Displays, approval: Statement['approval']): Displays =>
  approval?.delegatedBy === undefined ? display : withDelegator(display, approval.delegatedBy.name)

/** Composes a statement of what the row of a confirmation stores, of the payload, and of the words of the action or the request. */
export const composeStatement = (
  stored: Omit<StoredStatement, 'display'>,
  { id, createdAt, expiresAt, actionType, actionTypeVersion }: Stated,
  { value: actionPayload }: Payload,
  display: Displays,
): Statement => ({
  ...stored,
  confirmationId: id,
  createdAt: toIsoTimestamp(createdAt),
  expiresAt: toIsoTimestamp(expiresAt),
  actionType,
  actionTypeVersion,
  actionPayload,
  display: wordsOfVote(display, stored.approval) as Statement['display'],
})

/** The signed facts of a request in addition to the action: who asks, for whom, and the context, tenant and operation. */
export type Asked = Pick<Statement, 'tenant' | 'requester' | 'onBehalfOf' | 'context' | 'operation'>

/** The members of a request for a confirmation or approvals, besides the action. An absent one is `undefined` or `null`. */
export type Asking = { readonly [Member in Exclude<keyof Asked, 'requester'>]?: Asked[Member] | undefined }

const requireReadable = (text: string | null, path: JSONPath): void => {
  if (text !== null && changesDirection(text)) throw new JsonRefused(path, `must not contain ${directions}`)
}

/** Returns the facts of a request that are signed. @throws JsonRefused for text that changes the direction of reading */
export const askedBy = (
  requester: Asked['requester'],
  { operation = null, tenant = null, context = null, onBehalfOf = null }: Asking,
): Asked => {
  requireReadable(onBehalfOf, ['onBehalfOf'])
  for (const [name, value] of Object.entries(context ?? {})) {
    requireReadable(name, ['context'])
    requireReadable(value, ['context', name])
  }
  return { tenant, requester, onBehalfOf, context: context === null ? null : { ...context }, operation }
}

export const personOf = ({ id, directoryId }: Pick<User, 'id' | 'directoryId'>): Statement['subject'] => ({
  id,
  externalId: directoryId,
})

export const userRequester = (user: Pick<User, 'id' | 'directoryId' | 'name' | 'email'>): Asked['requester'] => ({
  kind: 'user',
  ...personOf(user),
  name: isVisible(user.name) ? user.name : user.email,
})

export const serviceRequester = (name: string): Asked['requester'] => ({ kind: 'service', id: null, externalId: null, name })

export const askedWords = ({ requester, onBehalfOf, tenant, context }: Asked): AskedWords => ({
  requester: requester.name,
  onBehalfOf,
  tenant,
  context,
})
