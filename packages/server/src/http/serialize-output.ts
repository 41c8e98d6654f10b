import {
  EXTENDED_HEADER,
  type Operation,
  type OperationName,
  type Output,
  operations,
  withoutExtended,
} from '@countersign/contract'
import type { AppContext } from './app-context.ts'
import type { RequestHeaders } from './http-request.ts'
import { JsonText, toJsonText } from './json-text.ts'

/** Returns whether the request asks for members that the contract does not name. */
export const wantsExtended = (headers: RequestHeaders): boolean => headers.get(EXTENDED_HEADER) === '1'

/**
 * Makes the serializer of an operation's outputs, which adds the envelope. Members beyond the contract are written only when
 * the request asks for them.
 */
export const createOutputSerializer = <N extends OperationName>({ checkOutput }: Pick<AppContext, 'checkOutput'>, name: N) => {
  const { envelope, success }: Operation = operations[name]
  const [before, after] = envelope === 'data' ? ['{"data":', '}'] : ['', '']
  const reduce = withoutExtended(name)

  const reduced = (output: Output<N> | JsonText<Output<N>>): Output<N> | JsonText<Output<N>> => {
    if (reduce === undefined) return output
    if (!(output instanceof JsonText)) return reduce(output)
    return output.value === undefined ? output : toJsonText<Output<N>>(reduce(output.value))
  }

  return (output: Output<N> | JsonText<Output<N>>, requestHeaders: RequestHeaders): string | null => {
    if (success === 204) return null
    const shown = reduce === undefined || wantsExtended(requestHeaders) ? output : reduced(output)
    const json = shown instanceof JsonText ? shown.text : JSON.stringify(shown)
    checkOutput?.(name, JSON.parse(json))
    return `${before}${json}${after}`
  }
}
