import type { OperationName } from '../../operations/index.ts'
import type { Input, Output } from '../../shapes.ts'

/**
 * An example request and response of each operation, as the document shows them. Tests send these requests. For values that
 * only a running server can give (tokens, challenges, signatures, ids), the tests use real values.
 */
export type Examples<N extends OperationName = OperationName> = {
  readonly [Name in N]: { readonly input: Input<Name>; readonly output: Output<Name> }
}
