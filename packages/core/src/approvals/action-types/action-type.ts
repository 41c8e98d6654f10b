import { actionTypes, hostChosenName } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import type { RegisteredVersions } from '../../shared/schema-registry/read-versions.ts'
import type { Registry, SchemaRegistryStore } from '../../shared/schema-registry/registry.ts'
import { checkedType, type SchemaEntry, type SchemaEntryWithText } from '../../shared/schema-registry/schema-entry.ts'
import { ActionTypeBreaks, ActionTypeNotFound, ActionTypesChangedMeanwhile, ActionTypeTaken } from './errors.ts'
import { readDefinition } from './read-definition.ts'
import { requireShown } from './require-shown.ts'

/** A registered version of an action type. In a tenant, a `type` that ends with `@<tenant>` comes first. */
export interface ActionType extends SchemaEntry {}

/** A registered version with its schema and its display. Both never change. */
export interface ActionTypeWithText extends SchemaEntryWithText {
  /** The JSON of the `DisplayDefinition`. */
  readonly displayText: string
}

/** The list of registered versions, sorted by type, then from the oldest to the newest version. */
export interface ActionTypeRegistry extends Pick<RegisteredVersions, 'version'> {
  readonly actionTypes: readonly ActionType[]
}

export type ActionTypeStore = SchemaRegistryStore<ActionTypeWithText>

export const actionTypeKey = (type: string, version: string): string => `action_schema:${type}:v${version}`

/** The registry of action types. The schema of a version must be closed, and its display must show every member. */
export const actionTypeRegistry: Registry<{ readonly actionTypes: ActionTypeStore }, ActionTypeWithText, 'definitionText'> = {
  definition: 'definitionText',
  store: ({ actionTypes }) => actionTypes,
  key: actionTypeKey,
  checkType: (type) => {
    const [name = '', tenant, ...more] = type.split('@')
    // The schema of a built-in type never changes.
    if (actionTypes.some((known) => known === name)) throw new Invalid({ type: 'must not be a built-in type' })
    // `countersign action policy test` tests a policy.
    if (name === 'test') throw new Invalid({ type: 'must not be test' })
    checkedType(name)
    const complaint = hostChosenName.optional().safeParse(tenant).error?.issues[0]?.message
    if (complaint !== undefined || more.length > 0) throw new Invalid({ tenant: complaint ?? 'must be one' })
    return type
  },
  read: (definitionText, engine) => {
    const { schemaText, display } = readDefinition(definitionText)
    const checked = engine.checkNewSchema(schemaText)
    requireShown(checked.schema, display)
    return { checked, texts: { displayText: JSON.stringify(display) } }
  },
  errors: {
    NotFound: ActionTypeNotFound,
    Taken: ActionTypeTaken,
    Breaks: ActionTypeBreaks,
    ChangedMeanwhile: ActionTypesChangedMeanwhile,
  },
}

/** The action types that only a user's own session, or Countersign itself, can ask for. */
const ownTypes: ReadonlySet<string> = new Set(['device_register', 'password_change'])

export const isOwnType = (actionType: string): boolean => ownTypes.has(actionType)

export const ownTypesText = [...ownTypes].join(' or ')
