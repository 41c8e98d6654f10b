import type { CheckedReceipt, ReceiptStatement, ReceiptStep, ReceiptVerdict } from '@countersign/client-sdk/receipt'
import { readableText } from '@countersign/contract/display'

const stepNames: Readonly<Record<ReceiptStep, string>> = {
  format: 'the form of the receipt',
  key: 'the key of the issuer',
  issuer: 'the signature of the issuer',
  claims: 'the claims of the issuer',
  disclosure: 'the disclosed parts',
  statement: 'the approved action',
  signature: 'the signature of the device',
  registration: 'the registration of the device',
}

/** Returns a time as people read it: the day, the time to the second, and UTC. */
const when = (timestamp: string): string => timestamp.replace(/T(.{8}).*/, ' $1 UTC')

const shownValue = (value: unknown): string => readableText(typeof value === 'string' ? value : JSON.stringify(value))

/** Returns a value of a display without the isolates around it and its parts, which a terminal prints as escapes. */
const withoutIsolates = (value: string): string => value.replaceAll(/[\u2068\u2069]/g, '')

const indented = (rows: readonly (readonly [string, string])[]): readonly string[] => {
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
}

const describeDisplay = ({ display }: ReceiptStatement): readonly string[] =>
  Object.entries(display).flatMap(([language, { title, lines }]) => [
    `The words for the screen, signed in the language ${language}: ${readableText(title)}`,
    ...indented(lines.map(({ label, value }) => [readableText(label), readableText(withoutIsolates(value))])),
  ])

const personOf = ({ id, externalId }: { readonly id: number | null; readonly externalId: string | null }): string =>
  `the user with the number ${id}${externalId === null ? '' : `, whom the host knows as ${readableText(externalId)}`}`

const describeAsking = ({ requester, onBehalfOf, tenant, context, createdAt }: ReceiptStatement): readonly string[] => {
  const { kind, name } = requester
  const who = kind === 'service' ? `the service ${readableText(name)}` : `${readableText(name)}, ${personOf(requester)}`
  const facts = [
    ...(onBehalfOf === null ? [] : [['on behalf of', shownValue(onBehalfOf)] as const]),
    ...(tenant === null ? [] : [['in the tenant', tenant] as const]),
    // In quotes, so that no name that the requester chose looks like a label of this command.
    ...Object.entries(context ?? {}).map(([name, value]) => [shownValue([name]).slice(1, -1), shownValue(value)] as const),
  ]
  return [`Asked by: ${who}, on ${when(createdAt)}${facts.length === 0 ? '.' : ', with these facts:'}`, ...indented(facts)]
}

const describeAction = (statement: ReceiptStatement): readonly string[] => {
  const { actionType, actionTypeVersion, actionPayload, operation, approval } = statement
  const version = actionTypeVersion === null ? '' : `, version ${actionTypeVersion}`
  return [
    `What: an action of the type ${actionType}${version}, with these values:`,
    ...indented(Object.entries(actionPayload).map(([name, value]) => [readableText(name), shownValue(value)])),
    ...describeDisplay(statement),
    ...(operation === null ? [] : [`For: the operation ${operation}, and no other.`]),
    ...describeAsking(statement),
    ...(approval === undefined
      ? []
      : [
          `This is one approval of the ${approval.count} that the action needs (request ${approval.id}).`,
          'The receipt does not show whether the other approvals were given.',
        ]),
  ]
}

const describeWho = ({ statement, registration, approver, issuer }: CheckedReceipt): readonly string[] => {
  const subject = statement?.subject ?? (typeof registration === 'object' && { id: registration.userId, externalId: null })
  return [
    !subject ? 'Who: not disclosed.' : `Who: ${personOf(subject)}, of ${issuer}.`,
    ...(approver === undefined
      ? []
      : [`     The issuer names this person ${approver.name} <${approver.email}>. No signature of the device covers the name.`]),
  ]
}

const describeDevice = ({ device, registration }: CheckedReceipt): readonly string[] => [
  `With: the ${device.kind ?? 'device'} ${device.id}. Its key (${device.algorithm}, thumbprint ${device.keyThumbprint}) signed the approval.`,
  ...(device.origin === undefined
    ? []
    : [
        `      It verified its user, and approved what a page of ${readableText(device.origin)} showed. Nobody proved its registration.`,
      ]),
  ...(typeof registration !== 'object'
    ? []
    : [`      The same key signed the registration of the device on ${when(registration.registeredAt)}.`]),
]

const notDisclosed: Readonly<Record<CheckedReceipt['unchecked'][number], string>> = {
  statement: 'The action is not disclosed. The receipt does not show what the device approved, nor for which user.',
  registration:
    'The registration of the device is not disclosed. Whether the device belongs to the user is only the word of the issuer.',
}

const describeChecked = (checked: CheckedReceipt): readonly string[] => {
  const { verdict, statement, confirmation, issuer, issuedAt, kid, unchecked, device } = checked
  const signatures =
    device.kind === 'passkey' ? 'the signature of the passkey' : 'the signature of the device and its registration'
  return [
    verdict === 'genuine'
      ? `GENUINE: the issuer, the action${device.kind === 'passkey' ? ' and' : ','} ${signatures} were checked.`
      : 'GENUINE IN PART: everything that the receipt discloses was checked. Some parts are not disclosed, see below.',
    '',
    ...describeWho(checked),
    ...(statement === undefined ? ['What: not disclosed.'] : describeAction(statement)),
    `When: approved on ${when(confirmation.approvedAt)}, by the clock of the issuer.`,
    `      The approval was possible until ${when(confirmation.expiresAt)}.`,
    ...describeDevice(checked),
    `Issuer: ${issuer}, with the key ${kid}, on ${when(issuedAt)}. Confirmation ${confirmation.id}.`,
    '',
    'Not checked:',
    ...unchecked.map((part) => `- ${notDisclosed[part]}`),
    '- The receipt came without a proof that the approval is in the log of the issuer.',
    '- Whether the person read the screen, and in which language.',
    '- Whether the issuer itself registered the device.',
  ]
}

/** Returns a verdict in sentences for people who know nothing of signatures. */
export const describeVerdict = (verdict: ReceiptVerdict): readonly string[] =>
  verdict.verdict === 'refused'
    ? [
        'REFUSED: the receipt proves nothing.',
        `Failed step: ${verdict.step} (${stepNames[verdict.step]})`,
        `Reason: ${verdict.reason}.`,
      ]
    : describeChecked(verdict)
