import type { Input, OperationName, Output } from '@countersign/contract'
import type { CallOptions } from './call.ts'

/** A method that calls one operation. Editors show the members of input and output, since the type is an instance of this. */
export type Method<N extends OperationName, R = Output<N>> = (input: Input<N>, options?: CallOptions) => Promise<R>

/** A method that calls one operation, whose input has no required member. */
export type MethodWithoutInput<N extends OperationName> = (input?: Input<N>, options?: CallOptions) => Promise<Output<N>>
