import { EXTENDED_HEADER, type Operation, type OperationName, type Output, operations, shownOutput } from '@countersign/contract'
import type { AppContext } from './app-context.ts'
import type { RequestHeaders } from './http-request.ts'
import { type Given, WithJsonText, writeJson } from './json-text.ts'

/** Returns whether the request asks for members that the contract does not name. */
export const wantsExtended = (headers: RequestHeaders): boolean => headers.get(EXTENDED_HEADER) === '1'

/**
 * Makes the serializer of an operation's outputs, which writes the members that the contract names, and adds the envelope. Members
 * beyond the contract are written only when the request asks for them.
 */
export const createOutputSerializer = <N extends OperationName>({ checkOutput }: Pick<AppContext, 'checkOutput'>, name: N) => {
  const { envelope, success }: Operation = operations[name]
  const [before, after] = envelope === 'data' ? ['{"data":', '}'] : ['', '']
  const show = shownOutput(name)

  return (output: Given<Output<N>> | WithJsonText<Output<N>>, requestHeaders: RequestHeaders): string | null => {
    if (success === 204) return null
    const extended = wantsExtended(requestHeaders)
    const json =
      output instanceof WithJsonText ? writeJson(show(output.output, extended)) : JSON.stringify(show(output, extended))
    checkOutput?.(name, JSON.parse(json))
    return `${before}${json}${after}`
  }
}
