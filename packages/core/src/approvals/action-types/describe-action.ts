import { actionTypes } from '@countersign/contract'
import { type DisplayDefinition, renderDisplay } from '@countersign/contract/display'
import { Invalid } from '../../shared/errors.ts'
import { createActiveValidators } from '../../shared/schema-registry/active-validators.ts'
import type { StatementDomain, StatementMembers } from '../confirmations/confirmation-challenge.ts'
import type { ActionTypeWithText } from './action-type.ts'
import type { ActionTypeStore } from './store.ts'

/** What the statement of an action says beside the members of version 1. */
export interface DescribedAction {
  readonly statement: { readonly domain: StatementDomain; readonly members: StatementMembers }
  /** The version of a registered action type; absent for a type of the contract. */
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

/**
 * Makes the function that describes actions. For a registered type, the newest active version applies: the payload is checked by
 * its schema, and its display is rendered once, so that the signature commits to the words on the screen. The types of the
 * contract need no registry, and load no schema engine.
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
    const display = renderDisplay(JSON.parse(displayText) as DisplayDefinition, actionPayload)
    const statement = { domain: 'countersign.confirmation.v2', members: { actionTypeVersion, display } } as const
    return { statement, actionTypeVersion }
  }
}
