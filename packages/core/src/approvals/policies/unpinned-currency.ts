import { builtInWords, type DisplayDefinition, isBuiltInType, pointerPath } from '@countersign/contract/display'
import { newestActive } from '../../shared/schema-registry/schema-version.ts'
import type { ApprovalStorage } from '../deps.ts'
import type { ActionPolicy, PolicyBand } from '../records/action-policy.ts'

type Schema = NonNullable<PolicyBand['when']>

interface Money {
  readonly pointer: string
  readonly currency: string
}

/** The amount of a type whose display is not known. */
const usual: Money = { pointer: '/amount', currency: '/currency' }

const comparisons = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const

const memberOf = (schema: Schema | undefined, name: string): Schema | undefined =>
  (schema?.['properties'] as Readonly<Record<string, Schema>> | undefined)?.[name]

const schemaAt = (when: Schema, pointer: string): Schema | undefined =>
  pointerPath(pointer).reduce<Schema | undefined>(memberOf, when)

const isCompared = (when: Schema, pointer: string): boolean => {
  const amount = schemaAt(when, pointer)
  return comparisons.some((keyword) => amount?.[keyword] !== undefined)
}

/** Returns whether a schema accepts only one value at a pointer, and refuses a payload without the member. */
const isPinned = (when: Schema, pointer: string): boolean => {
  const currency = schemaAt(when, pointer)
  const values = currency?.['enum'] as readonly unknown[] | undefined
  if (currency?.['const'] === undefined && values?.length !== 1) return false
  const path = pointerPath(pointer)
  return path.every((name, at) => {
    const holder = path.slice(0, at).reduce<Schema | undefined>(memberOf, when)
    return (holder?.['required'] as readonly string[] | undefined)?.includes(name) === true
  })
}

const moneyOf = async (
  { storage }: ApprovalStorage,
  { actionType, tenant }: Pick<ActionPolicy, 'actionType' | 'tenant'>,
): Promise<readonly Money[]> => {
  const { schemas } = await storage.actionTypes.active()
  const registered = newestActive(schemas, `${actionType}@${tenant}`) ?? newestActive(schemas, actionType)
  const display = isBuiltInType(actionType)
    ? builtInWords[actionType]
    : registered && (JSON.parse(registered.displayText) as DisplayDefinition)
  const lines = display?.lines.flatMap((line) => (line.format === 'money' ? [line] : [])) ?? []
  return lines.length === 0 ? [usual] : lines
}

/** Returns the bands that compare an amount of any currency: a maximum of 1,000 then accepts the most valuable one. */
export const bandsWithoutCurrency = async (deps: ApprovalStorage, policy: ActionPolicy): Promise<readonly number[]> => {
  const amounts = await moneyOf(deps, policy)
  return policy.bands.flatMap(({ when }, band) =>
    when !== undefined && amounts.some(({ pointer, currency }) => isCompared(when, pointer) && !isPinned(when, currency))
      ? [band]
      : [],
  )
}
