import type { LiveEvent } from '@countersign/contract'
import type { CountersignApprovals } from '@countersign/core'
import { EventStream } from '../../http/event-stream.ts'
import type { OperationHandlers } from '../../http/operation-handler.ts'

export const eventHandlers = ({ events }: Pick<CountersignApprovals, 'events'>) =>
  ({
    'events.stream': async ({ token }) => {
      const stream = new EventStream()
      const send = (event: LiveEvent | undefined) => stream.send(serializeEvent(event))
      stream.onLeave(await events.open({ token, send, end: () => stream.end() }))
      return stream
    },
  }) satisfies Partial<OperationHandlers>

/** Writes an event as the HTML standard says (9.2.5); a sign of life is a comment. JSON has no line breaks. */
const serializeEvent = (event: LiveEvent | undefined): string => {
  if (event === undefined) return ': \n\n'
  const { type, ...data } = event
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
