import { actionTypes } from '@countersign/contract'
import { type Display, type DisplayDefinition, pointerPath, renderDisplay, valueAt } from '@countersign/contract/display'
import { Invalid } from '../shared/errors.ts'
import { createActiveValidators } from '../shared/schema-registry/active-validators.ts'
import type { ActionTypeStore, ActionTypeWithText } from './action-types/action-type.ts'
import type { StatementDomain, StatementMembers } from './records/confirmation-challenge.ts'

/** The members of the statement of an action beside the members of version 1. */
export interface DescribedAction {
  readonly statement: { readonly domain: StatementDomain; readonly members: StatementMembers }
  /** The version of a registered action type; absent for a built-in type. */
  readonly actionTypeVersion?: string
}

/** Describes an action. @throws Invalid for an unknown type, and for a payload that the schema of the type refuses */
export type DescribeAction = (action: {
  readonly actionType: string
  readonly actionPayload: Readonly<Record<string, unknown>>
}) => Promise<DescribedAction>

const contractTypes: ReadonlySet<string> = new Set(actionTypes)
const ofContract: DescribedAction = { statement: { domain: 'countersign.confirmation.v1', members: {} } }

const fieldOf = (field: string): string =>
  field === '' ? 'actionPayload' : field.startsWith('[') ? `actionPayload${field}` : `actionPayload.${field}`

/** Letters and currency signs. With digits or spaces, `1` and `000 EUR` would read as `1 000 EUR`. */
const CURRENCY = /^[\p{L}\p{Sc}]{1,12}$/u

/** Nobody reads more lines before approving. */
const MOST_SHOWN_LINES = 200

/** Renders the display of an action. @throws Invalid for an action that a person cannot read as it is */
const displayed = (definition: DisplayDefinition, payload: unknown): Readonly<Record<string, Display>> => {
  const currencies = definition.lines.flatMap((line) => (line.format === 'money' ? [line.currency] : []))
  const unreadable = currencies.filter((pointer) => {
    const currency = valueAt(payload, pointer)
    return typeof currency === 'string' && !CURRENCY.test(currency)
  })
  if (unreadable.length > 0) {
    const fields = unreadable.map((pointer) => fieldOf(pointerPath(pointer).join('.')))
    throw new Invalid(Object.fromEntries(fields.map((field) => [field, 'must be a currency code'])))
  }
  const display = renderDisplay(definition, payload)
  if (Object.values(display).some(({ lines }) => lines.length > MOST_SHOWN_LINES)) {
    throw new Invalid({ actionPayload: `must have at most ${MOST_SHOWN_LINES} values, so that a person can read all of them` })
  }
  return display
}

/**
 * Makes the function that describes actions. For a registered type, the newest active version checks the payload by its schema, and
 * renders the text for the screen. The device signs this text too, so nobody can show another one later. The built-in types,
 * such as `payment_approval`, are not registered: for them nothing is looked up, and no schema engine is loaded.
 */
export const actionDescriber = (registry: Pick<ActionTypeStore, 'registryVersion' | 'active'>): DescribeAction => {
  const activeTypes = createActiveValidators<ActionTypeWithText>(registry)
  return async ({ actionType, actionPayload }) => {
    if (contractTypes.has(actionType)) return ofContract
    // Without registered types, no schema engine is loaded.
    const active = (await registry.registryVersion()) === 0 ? undefined : (await activeTypes())(actionType)
    if (active === undefined) throw new Invalid({ actionType: `must be one of ${actionTypes.join(', ')}` })
    const complaints = active.validate(actionPayload)
    if (complaints.length > 0) {
      throw new Invalid(Object.fromEntries(complaints.map(({ field, message }) => [fieldOf(field), message])))
    }
    const { version: actionTypeVersion, displayText } = active.entry
    const display = displayed(JSON.parse(displayText) as DisplayDefinition, actionPayload)
    const statement = { domain: 'countersign.confirmation.v2', members: { actionTypeVersion, display } } as const
    return { statement, actionTypeVersion }
  }
}
