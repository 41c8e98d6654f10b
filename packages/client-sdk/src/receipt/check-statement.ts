import { STATEMENT_MEMBERS } from '../shared/encoding/commitment.ts'
import { canonicalMembers, commitsTo, is64Bytes } from './challenge.ts'
import { hasExactly, isObject, isText, isTimestamp, type Members, memberNames } from './strict-text.ts'
import { type CheckedReceipt, type Demand, demandOf, type ReceiptStatement } from './verdict.ts'

const demand: Demand = demandOf('statement')

const isLine = (value: unknown): boolean =>
  (hasExactly(value, 'label,value') || (hasExactly(value, 'label,lead,value') && value.lead === true)) &&
  isText(value.label) &&
  isText(value.value)

const isDisplay = (value: unknown): boolean =>
  hasExactly(value, 'direction,lines,title') &&
  (value.direction === 'ltr' || value.direction === 'rtl') &&
  isText(value.title) &&
  Array.isArray(value.lines) &&
  value.lines.every(isLine)

type Check = (value: unknown) => boolean

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

const isPerson = (value: Members): boolean => Number.isSafeInteger(value.id) && orNull(isText)(value.externalId)

const isRequester = (value: unknown): boolean => {
  if (!hasExactly(value, 'externalId,id,kind,name') || !isText(value.name)) return false
  if (value.kind === 'service') return value.id === null && value.externalId === null
  return value.kind === 'user' && isPerson(value)
}

const isPolicy = (value: unknown): boolean =>
  hasExactly(value, 'band,digest,version') &&
  Number.isSafeInteger(value.version) &&
  Number.isSafeInteger(value.band) &&
  isText(value.digest)

const isDelegator = (value: unknown): boolean => hasExactly(value, 'externalId,id,name') && isPerson(value) && isText(value.name)

const isApproval = (value: unknown): boolean =>
  (hasExactly(value, 'count,id,policy') ||
    (hasExactly(value, 'count,delegatedBy,id,policy') && isDelegator(value.delegatedBy))) &&
  isText(value.id) &&
  isPolicy(value.policy) &&
  Number.isSafeInteger(value.count) &&
  (value.count as number) > 0

const fits: Readonly<Record<string, Check>> = {
  iss: orNull(isText),
  confirmationId: isText,
  createdAt: isTimestamp,
  expiresAt: isTimestamp,
  tenant: orNull(isText),
  subject: (value) => hasExactly(value, 'externalId,id') && isPerson(value),
  requester: isRequester,
  onBehalfOf: orNull(isText),
  context: orNull((value) => isObject(value) && Object.values(value).every(isText)),
  operation: orNull(isText),
  actionType: isText,
  actionTypeVersion: orNull(isText),
  actionPayload: isObject,
  display: (value) => isObject(value) && Object.values(value).every(isDisplay),
  approval: isApproval,
}

/** Checks that the challenge covers the disclosed statement, and returns the statement. @throws Refused */
export const checkStatement = async (
  subtle: SubtleCrypto,
  disclosed: unknown,
  { id, approvedAt, expiresAt, challenge }: CheckedReceipt['confirmation'],
  issuer: string,
): Promise<ReceiptStatement> => {
  demand(hasExactly(disclosed, 'nonce,text') && is64Bytes(disclosed.nonce), 'The statement is malformed')
  const { nonce, text } = disclosed as { readonly nonce: string; readonly text: string }
  const members = canonicalMembers(text)
  demand(members, 'The statement is not canonical JSON')
  const { approval, ...single } = members
  demand(memberNames(single) === STATEMENT_MEMBERS, 'The statement has missing or unknown members')
  const domain = 'approval' in members ? 'countersign.approval.v1' : 'countersign.confirmation.v1'
  demand(await commitsTo(subtle, challenge, { domain, nonce, text }), 'The challenge does not include the hash of the statement')
  const { confirmationId, createdAt, expiresAt: until, iss, ...further } = members
  demand(confirmationId === id && until === expiresAt, 'The statement is that of another confirmation')
  demand(
    Object.entries(members).every(([name, value]) => fits[name]?.(value)),
    'The statement has members of wrong types',
  )
  demand(iss === null || iss === issuer, 'The statement names another issuer')
  demand((createdAt as string) <= approvedAt, 'The action was approved before it was asked')
  const { subject, requester } = further as Pick<ReceiptStatement, 'subject' | 'requester'>
  if (approval !== undefined) {
    const { delegatedBy } = approval as NonNullable<ReceiptStatement['approval']>
    const people = [requester.id, subject.id, ...(delegatedBy === undefined ? [] : [delegatedBy.id])]
    demand(new Set(people).size === people.length, 'The requester approved the own request')
  }
  return { domain, text, createdAt, ...further } as unknown as ReceiptStatement
}
