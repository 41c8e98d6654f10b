import { actionTypes } from '@countersign/contract'
import {
  builtInWords,
  type DisplayDefinition,
  type DisplayForm,
  type Displays,
  isBuiltInType,
  isPayable,
  type ProductDefinition,
  pointerPath,
  renderDisplay,
  valueAt,
} from '@countersign/contract/display'
import { Invalid } from '../shared/errors.ts'
import { createActiveValidators } from '../shared/schema-registry/active-validators.ts'
import type { ActionTypeStore, ActionTypeWithText } from './action-types/action-type.ts'
import { type Asked, askedWords } from './records/statement.ts'

/** An action with everything that the words need. */
export interface ActionToDescribe {
  readonly actionType: string
  readonly actionPayload: Readonly<Record<string, unknown>>
  readonly asked: Asked
  /** The approvals that the action needs; absent for the confirmation of one person. */
  readonly count?: number
}

/** An action with the words that a device shows and signs. */
export interface DescribedAction {
  /** The version of a registered action type; `null` for a built-in type. */
  readonly actionTypeVersion: string | null
  readonly display: Displays
}

/** Describes an action. @throws Invalid for an unknown type, and for a payload that the type or a reader refuses */
export type DescribeAction = (action: ActionToDescribe) => Promise<DescribedAction>

const fieldOf = (field: string): string =>
  field === '' ? 'actionPayload' : field.startsWith('[') ? `actionPayload${field}` : `actionPayload.${field}`

/** Letters and currency signs. With digits or spaces, `1` and `000 EUR` would read as `1 000 EUR`. */
const CURRENCY = /^[\p{L}\p{Sc}]{1,12}$/u

/** The most lines of a display: nobody reads more lines before approving. */
const MOST_SHOWN_LINES = 200

/** The most bytes of the words in all languages, as JSON in UTF-8. */
const DISPLAY_BYTES = 16 * 1024

/** Checks the amounts of a registered type. @throws Invalid for an amount that people misread, or that no currency has */
const requirePayable = (definition: DisplayDefinition, payload: unknown): void => {
  const fields = definition.lines.flatMap((line): readonly (readonly [string, string])[] => {
    if (line.format !== 'money') return []
    const [amount, code] = [valueAt(payload, line.pointer), valueAt(payload, line.currency)]
    if (typeof code === 'string' && !CURRENCY.test(code)) return [[line.currency, 'must be a currency code']]
    if (amount === undefined || isPayable(amount, code)) return []
    return [[line.pointer, 'must be an amount that the currency has']]
  })
  if (fields.length === 0) return
  throw new Invalid(Object.fromEntries(fields.map(([pointer, takes]) => [fieldOf(pointerPath(pointer).join('.')), takes])))
}

type Described = Pick<ActionToDescribe, 'actionPayload' | 'asked' | 'count'>

const render = (definition: ProductDefinition, { actionPayload, asked, count }: Described, form?: DisplayForm): Displays =>
  renderDisplay(definition, actionPayload, { ...askedWords(asked), ...(count === undefined ? {} : { count }) }, form)

const fits = (display: Displays): boolean => Buffer.byteLength(JSON.stringify(display), 'utf8') <= DISPLAY_BYTES

/** @throws Invalid for words that are too long to be stored and shown */
const requireFitting = (display: Displays): Displays => {
  if (fits(display)) return display
  throw new Invalid({ actionPayload: `must make at most ${DISPLAY_BYTES} bytes of words in all languages` })
}

const inEnglish = ({ title, lines }: ProductDefinition): ProductDefinition => ({ title: { en: title.en ?? '' }, lines })

/**
 * Renders a built-in action in every language of the product; a long payload in English only, one of many values on fewer lines.
 * @throws Invalid for a payload of control characters whose words are too long in any form
 */
export const describeBuiltIn = (definition: ProductDefinition, action: Described): Displays => {
  const full = render(definition, action)
  if (fits(full)) return full
  const english = render(inEnglish(definition), action)
  return fits(english) ? english : requireFitting(render(inEnglish(definition), action, 'short'))
}

/** Renders the words of an action of a registered type. @throws Invalid for words that nobody would read before approving */
const describeRegistered = (definition: DisplayDefinition, action: Described): Displays => {
  const display = render(definition, action)
  if (Object.values(display).some(({ lines }) => lines.length > MOST_SHOWN_LINES)) {
    throw new Invalid({ actionPayload: `must have at most ${MOST_SHOWN_LINES} values, so that a person can read all of them` })
  }
  return requireFitting(display)
}

/**
 * Makes the function that describes actions in the words that the device shows and signs. The newest active version of a registered
 * type checks the payload; a version for the tenant comes first.
 */
export const actionDescriber = (registry: Pick<ActionTypeStore, 'registryVersion' | 'active'>): DescribeAction => {
  const activeTypes = createActiveValidators<ActionTypeWithText>(registry)
  return async (action) => {
    const { actionType, actionPayload } = action
    if (isBuiltInType(actionType)) return { actionTypeVersion: null, display: describeBuiltIn(builtInWords[actionType], action) }
    // Without registered types, no schema engine is loaded.
    const find = (await registry.registryVersion()) === 0 ? () => undefined : await activeTypes()
    const { tenant } = action.asked
    const active = (tenant === null ? undefined : find(`${actionType}@${tenant}`)) ?? find(actionType)
    if (active === undefined) throw new Invalid({ actionType: `must be one of ${actionTypes.join(', ')}` })
    const complaints = active.validate(actionPayload)
    if (complaints.length > 0) {
      throw new Invalid(Object.fromEntries(complaints.map(({ field, message }) => [fieldOf(field), message])))
    }
    const { version: actionTypeVersion, displayText } = active.entry
    const definition = JSON.parse(displayText) as DisplayDefinition
    requirePayable(definition, actionPayload)
    return { actionTypeVersion, display: describeRegistered(definition, action) }
  }
}
