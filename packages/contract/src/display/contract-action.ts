import type { ActionType } from '../vocabulary.ts'
import { ABSENT, type Display, type DisplayLine } from './display.ts'
import { groupedMoney } from './money.ts'
import { vouchingWords } from './new-device.ts'
import { isolated, readableText } from './readable-text.ts'

/** The English words for a built-in action type: its title, and the labels of the members that it requires. */
interface Words {
  readonly title: string
  readonly labels: Readonly<Record<string, string>>
}

const words: Readonly<Record<ActionType, Words>> = {
  payment_approval: { title: 'Payment', labels: { amount: 'Amount', currency: 'Currency', recipient: 'Recipient' } },
  document_approval: { title: 'Approval of a document', labels: { documentName: 'Document', documentId: 'Document id' } },
  purchase_order: { title: 'Purchase order', labels: { amount: 'Amount', supplier: 'Supplier', items: 'Item' } },
  user_access: { title: 'Access of a user', labels: { userId: 'User', permissions: 'Permission' } },
  settings_change: {
    title: 'Change of a setting',
    labels: { settingKey: 'Setting', oldValue: 'Old value', newValue: 'New value' },
  },
  password_change: { title: 'Change of a password', labels: { userId: 'User' } },
  device_register: { title: 'New device', labels: { deviceName: 'Device', deviceType: 'Kind of device' } },
  sensitive_data_access: { title: 'Access to sensitive data', labels: { dataType: 'Data', reason: 'Reason' } },
}

/** Returns whether the contract defines the action type. No operator can register such a type. */
export const isContractType = (actionType: string): actionType is ActionType => Object.hasOwn(words, actionType)

type Payload = Readonly<Record<string, unknown>>

const text = (value: unknown): string => {
  if (value === undefined || value === null) return ABSENT
  return isolated(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const linesOf = (label: string, value: unknown): readonly DisplayLine[] => {
  const values = Array.isArray(value) && value.length > 0 ? value : [Array.isArray(value) ? undefined : value]
  return values.map((one) => ({ label, value: text(one) }))
}

/** The label of the line that tells a payment in one sentence. */
const PAY = 'Pay'

/** Returns the line of an amount with its currency, and the names of the members that this line shows. */
const moneyLine = (actionType: string, { amount, currency, recipient }: Payload) => {
  const money = groupedMoney(amount, currency)
  if (money === undefined) return { lines: [], shown: [] }
  if (actionType !== 'payment_approval' || typeof recipient !== 'string') {
    return { lines: [{ label: 'Amount', value: isolated(money) }], shown: ['amount', 'currency'] }
  }
  const line = { label: PAY, value: isolated(`${money} to ${recipient}`) }
  return { lines: [line], shown: ['amount', 'currency', 'recipient'] }
}

const memberOf = (payload: Payload, name: string): unknown => (Object.hasOwn(payload, name) ? payload[name] : undefined)

/** Writes an unknown action type for people: `wire_transfer` as `Wire transfer`. */
const titleOf = (actionType: string): string =>
  readableText(actionType.charAt(0).toUpperCase() + actionType.slice(1).replaceAll('_', ' '))

/**
 * Returns the English words for an action whose words the service does not sign: `1,250.00 EUR to Ada's Workshop`. Every member
 * of the payload is shown. A member that the action type does not require has its name as the label. A name in quotes looks
 * like one of our labels, and is not.
 */
export const renderAction = (actionType: string, actionPayload: Payload): Display => {
  const { title, labels } = isContractType(actionType) ? words[actionType] : { title: titleOf(actionType), labels: {} }
  const { lines, shown } = moneyLine(actionType, actionPayload)
  const vouching = actionType === 'device_register' ? vouchingWords(actionPayload) : undefined
  const known = [...shown, ...(vouching?.shown ?? [])]
  const written = [...lines, ...(vouching?.lines ?? [])]
  const own = [PAY, ...written.map(({ label }) => label), ...Object.values<string>(labels)]
  const taken = new Set(own.map((label) => label.toLowerCase()))
  const nameOf = (name: string): string =>
    name.trim() === '' || taken.has(name.trim().toLowerCase()) ? JSON.stringify(name) : name
  const required = Object.entries<string>(labels).filter(([name]) => !shown.includes(name))
  const further = Object.keys(actionPayload).filter((name) => !known.includes(name) && !Object.hasOwn(labels, name))
  return {
    title: vouching?.title ?? title,
    lines: [
      ...lines,
      ...required.flatMap(([name, label]) => linesOf(label, memberOf(actionPayload, name))),
      ...(vouching?.lines ?? []),
      ...further.flatMap((name) => linesOf(readableText(nameOf(name)), actionPayload[name])),
    ],
  }
}
