import * as z from 'zod'

/** The kinds of events. `read_again`: events may have been missed. `account`: sessions, trust, lock or permissions changed. */
export const liveEventTypes = ['read_again', 'account', 'confirmation', 'approval_request'] as const

/** The new state of a confirmation or an approval request. A vote leaves an approval request `pending`. */
export type LiveStatus = 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'redeemed'

/** News for the client of a user, without any content: the client reads again what the event names. */
export type LiveEvent =
  | { readonly type: 'read_again' | 'account' }
  | { readonly type: 'confirmation' | 'approval_request'; readonly id: string; readonly status: LiveStatus }

export const eventShapes = {
  'events.stream': {
    input: z.object({}),
    output: z.string().describe('Server-sent events, each with a type and JSON; comments show that the stream is alive'),
  },
} as const
