import type { Input, OperationName, Output } from '@countersign/contract'
import type { CallOptions } from './call.ts'

/** A method that calls one operation. Editors then show the members of input and output, not the names of types. */
export type Method<N extends OperationName, R = Output<N>> = (input: Input<N>, options?: CallOptions) => Promise<R>

/** A method that calls one operation without required input. */
export type MethodWithoutInput<N extends OperationName> = (input?: Input<N>, options?: CallOptions) => Promise<Output<N>>
