import type { ActionTypes } from './action-types.ts'
import type { Input } from './shapes.ts'
import type { ActionType } from './vocabulary.ts'

type OwnType = keyof ActionTypes & string

/** The type of an action: built in, or declared in `ActionTypes`. Without a declaration, any text. */
export type ActionTypeName = ActionType | ([OwnType] extends [never] ? string & {} : OwnType)

type BuiltIn = Input<'confirmations.initiate'>

/** The payload of a type of action, as a caller sends it. */
export type PayloadOf<T extends ActionTypeName> = T extends ActionType
  ? Extract<BuiltIn, { readonly actionType: T }>['actionPayload']
  : T extends OwnType
    ? ActionTypes[T]
    : Readonly<Record<string, unknown>>

/** The operations whose input has an action. */
export type ActionOperation =
  | 'confirmations.initiate'
  | 'approvals.start'
  | 'services.initiate'
  | 'services.redeem'
  | 'services.redeemApproval'

/** The input of an operation for an action of the type `T`. */
export type ActionInput<N extends ActionOperation, T extends ActionTypeName> = Omit<Input<N>, 'actionType' | 'actionPayload'> & {
  readonly actionType: T
  readonly actionPayload: PayloadOf<T>
}
