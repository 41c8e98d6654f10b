import {
  EXTENDED_HEADER,
  type Operation,
  type OperationName,
  type Output,
  operations,
  withoutExtended,
} from '@countersign/contract'
import type { Asked } from './asked.ts'
import type { Host } from './host.ts'
import { JsonText, toJsonText } from './json-text.ts'

/** Whether the request asks for the members of answers that the contract does not name. */
const wantsExtended = ({ headers }: Pick<Asked, 'headers'>): boolean => headers.get(EXTENDED_HEADER) === '1'

/**
 * Makes the writer of an operation's outputs, in its envelope. Members beyond the contract are written only where the request
 * asks for extended answers.
 */
export const createToJson = <N extends OperationName>(host: Pick<Host, 'checkOutput'>, name: N) => {
  const { envelope, success }: Operation = operations[name]
  const [before, after] = envelope === 'data' ? ['{"data":', '}'] : ['', '']
  const reduce = withoutExtended(name)

  const reduced = (output: Output<N> | JsonText<Output<N>>): Output<N> | JsonText<Output<N>> => {
    if (reduce === undefined) return output
    if (!(output instanceof JsonText)) return reduce(output)
    return output.value === undefined ? output : toJsonText<Output<N>>(reduce(output.value))
  }

  return (output: Output<N> | JsonText<Output<N>>, request: Pick<Asked, 'headers'>): string | null => {
    if (success === 204) return null
    const shown = reduce === undefined || wantsExtended(request) ? output : reduced(output)
    const json = shown instanceof JsonText ? shown.text : JSON.stringify(shown)
    host.checkOutput?.(name, JSON.parse(json))
    return `${before}${json}${after}`
  }
}
