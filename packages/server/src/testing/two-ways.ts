import { recordingLogger, type TestCountersign } from '@countersign/core/testing'
import { type Listening, type ListenOptions, listen } from '../adapters/node/listen.ts'
import { createService } from '../app.ts'
import { openConnection } from './raw-connection.ts'

/** A server that answers directly what it can, or one that knows no direct way. */
export interface Way {
  readonly listening: Listening
  /** What was logged since the last time, a line each as JSON; what was made for the answer, and times, left out. */
  readonly logged: () => readonly string[]
  /** How many requests were taken directly. */
  readonly taken: () => number
}

/** Ids and tokens that are made for an answer. */
const MADE = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|eyJ[\w.-]+/g

/** Serves a core, so that the same bytes can be sent to a server of each way on it. */
export const startWay = async (
  { countersign }: Pick<TestCountersign, 'countersign'>,
  isDirect: boolean,
  options: Partial<ListenOptions> = {},
): Promise<Way> => {
  const logger = recordingLogger()
  const { app, answerDirectly } = createService(countersign, { version: '1.2.3', logger })
  let taken = 0
  const counted: typeof answerDirectly = (request) => {
    const answer = answerDirectly(request)
    const count = (sent: Awaited<typeof answer>) => {
      if (sent !== undefined) taken += 1
      return sent
    }
    // In the same turn where it is known in that.
    return answer instanceof Promise ? answer.then(count) : count(answer)
  }
  const at = { host: '127.0.0.1', port: 0, ...options }
  const listening = await listen(app.fetch, isDirect ? { ...at, answerDirectly: counted } : at)
  let told = 0
  const logged = () => {
    const entries = logger.entries.slice(told)
    told = logger.entries.length
    return entries.map((entry) =>
      JSON.stringify(entry)
        .replaceAll(MADE, 'made')
        .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0'),
    )
  }
  return { listening, logged, taken: () => taken }
}

/** Milliseconds between pieces, so that each arrives by itself. */
const BETWEEN_PIECES = 20

/** All that comes back to pieces sent one after the other; what was made for it and times left out, headers in order of name. */
export const answersTo = async ({ listening }: Way, ...pieces: readonly string[]): Promise<string> => {
  const connection = await openConnection(listening.url)
  connection.socket.setNoDelay(true)
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_PIECES))
    await new Promise((resolve) => connection.socket.write(piece, 'latin1', resolve))
  }
  connection.socket.end()
  return (await connection.closed())
    .replaceAll(MADE, 'made')
    .replaceAll(/^date: .*$/gim, 'date: now')
    .replaceAll(/"(timestamp|uptime)":[^,}]+/g, '"$1":0')
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .map((answer) => {
      const [head = '', body] = answer.split('\r\n\r\n')
      const [status, ...headers] = head.split('\r\n').map((line) => line.replace(/^[^:]+(?=:)/, (name) => name.toLowerCase()))
      return [status, ...headers.sort(), body].join('\n')
    })
    .join('\n')
}
