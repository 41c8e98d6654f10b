import { canonicalMembers, commitsTo, is64Bytes } from './challenge.ts'
import { hasExactly, isObject, isTimestamp, memberNames } from './strict-text.ts'
import { demand, type ReceiptStatement, type StatementDomain } from './verdict.ts'

/** The claims of the issuer about the confirmation. */
export interface ConfirmationClaims {
  readonly id: string
  readonly approvedAt: string
  readonly expiresAt: string
  readonly challenge: string
}

const VERSION_ONE = ['actionPayload', 'actionType', 'confirmationId', 'expiresAt', 'userId']
const REGISTERED = ['actionTypeVersion', 'display']
const SEVERAL = ['approvalId', 'count', 'requestedBy']

const names = (...lists: readonly (readonly string[])[]): string => lists.flat().sort().join()

/** The members of a statement determine its domain. */
const domains: ReadonlyMap<string | undefined, StatementDomain> = new Map([
  [names(VERSION_ONE), 'countersign.confirmation.v1'],
  [names(VERSION_ONE, REGISTERED), 'countersign.confirmation.v2'],
  [names(VERSION_ONE, SEVERAL), 'countersign.approval.v1'],
  [names(VERSION_ONE, REGISTERED, SEVERAL), 'countersign.approval.v1'],
])

const isText = (value: unknown): value is string => typeof value === 'string'

const isLine = (value: unknown): boolean => hasExactly(value, 'label,value') && isText(value.label) && isText(value.value)

const isDisplay = (value: unknown): boolean =>
  hasExactly(value, 'lines,title') && isText(value.title) && Array.isArray(value.lines) && value.lines.every(isLine)

/** The check of each member of a statement. */
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  confirmationId: isText,
  userId: Number.isSafeInteger,
  actionType: isText,
  actionPayload: isObject,
  expiresAt: isTimestamp,
  actionTypeVersion: isText,
  display: (value) => isObject(value) && Object.values(value).every(isDisplay),
  approvalId: isText,
  requestedBy: Number.isSafeInteger,
  count: (value) => Number.isSafeInteger(value) && (value as number) > 0,
}

/**
 * Checks that the challenge covers the disclosed statement, and returns the statement.
 *
 * @throws Refused
 */
export const checkStatement = async (
  subtle: SubtleCrypto,
  disclosed: unknown,
  { id, expiresAt, challenge }: ConfirmationClaims,
): Promise<ReceiptStatement> => {
  demand(hasExactly(disclosed, 'nonce,text') && is64Bytes(disclosed.nonce), 'statement', 'The statement is malformed')
  const { nonce, text } = disclosed as { readonly nonce: string; readonly text: string }
  const members = canonicalMembers(text)
  demand(members, 'statement', 'The statement is not canonical JSON')
  const domain = domains.get(memberNames(members))
  demand(domain, 'statement', 'The statement has missing or unknown members')
  demand(
    await commitsTo(subtle, challenge, { domain, nonce, text }),
    'statement',
    'The challenge does not commit to the statement',
  )
  const { confirmationId, expiresAt: until, ...further } = members
  demand(confirmationId === id && until === expiresAt, 'statement', 'The statement is that of another confirmation')
  demand(
    Object.entries(members).every(([name, value]) => fits[name]?.(value)),
    'statement',
    'The statement has members of wrong types',
  )
  demand(members.userId !== members.requestedBy, 'statement', 'The requester approved the own request')
  return { domain, text, ...further } as unknown as ReceiptStatement
}
