import type { DisplayDefinition } from '@countersign/contract/display'
import type { NewVersion } from '../../shared/schema-registry/register-version.ts'

interface Keywords {
  readonly [keyword: string]: unknown
}

interface Scalars {
  readonly string: string
  readonly number: number
  readonly integer: number
  readonly boolean: boolean
}

interface ScalarSchema extends Keywords {
  readonly type: keyof Scalars
}

interface ListSchema extends Keywords {
  readonly type: 'array'
  readonly items: ScalarSchema
}

/** A draft-07 schema of an object. The registration refuses keywords that could accept a member which no line shows. */
export interface ObjectSchema extends Keywords {
  readonly type: 'object'
  readonly additionalProperties: false
  readonly properties?: { readonly [name: string]: ScalarSchema | ListSchema | ObjectSchema }
  readonly required?: readonly string[]
}

/** A version of an action type that a host defines in its code. */
export interface DefinedActionType extends Pick<NewVersion, 'type' | 'version' | 'title' | 'allowBreaking'> {
  readonly schema: ObjectSchema
  readonly display: DisplayDefinition
}

/** The value that a schema accepts. Each member of an action type has one `type`, so no other keyword is needed. */
type ValueOf<S> = S extends { readonly const: infer V }
  ? V
  : S extends { readonly enum: readonly (infer V)[] }
    ? V
    : S extends { readonly type: 'array'; readonly items: infer I }
      ? readonly ValueOf<I>[]
      : S extends { readonly type: keyof Scalars }
        ? Scalars[S['type']]
        : ValuesOf<S>

type PropertiesOf<S> = S extends { readonly properties: infer P } ? P : unknown
type RequiredOf<S> = S extends { readonly required: readonly (infer N)[] } ? N : never
type Flat<T> = { [K in keyof T]: T[K] }

type ValuesOf<S, P = PropertiesOf<S>> = Flat<
  { readonly [N in keyof P as N extends RequiredOf<S> ? N : never]: ValueOf<P[N]> } & {
    readonly [N in keyof P as N extends RequiredOf<S> ? never : N]?: ValueOf<P[N]>
  }
>

/**
 * The payload of a defined action type.
 *
 * @example
 * declare module '@countersign/core' {
 *   interface ActionTypes {
 *     wire_transfer: DefinedPayload<typeof wireTransfer>
 *   }
 * }
 */
export type DefinedPayload<D extends { readonly schema: ObjectSchema }> = ValueOf<D['schema']>

/**
 * Defines an action type in code, with its exact type for `DefinedPayload`. `countersign.actionTypes.ensure` registers it.
 * @example
 * export const wireTransfer = defineActionType({
 *   type: 'wire_transfer',
 *   version: '1.0.0',
 *   schema: {
 *     type: 'object',
 *     additionalProperties: false,
 *     required: ['amount', 'currency'],
 *     properties: { amount: { type: 'number' }, currency: { type: 'string' } },
 *   },
 *   display: {
 *     title: { en: 'Wire transfer' },
 *     lines: [{ label: { en: 'Amount' }, pointer: '/amount', format: 'money', currency: '/currency' }],
 *   },
 * })
 */
export const defineActionType = <const D extends DefinedActionType>(definition: D): D => definition
