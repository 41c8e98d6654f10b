import { recordingLogger } from '@countersign/core/testing'
import type { TestCountersign } from '@countersign/storage-sqlite/testing'
import type { Listening, ListenOptions } from '../adapters/node/listen.ts'
import { startHonoServer } from './hono-server.ts'
import { openConnection } from './raw-connection.ts'
import { startRealServer } from './real-server.ts'

/** The two adapters of the pipeline, each serving real HTTP. */
export const adapters = { node: startRealServer, hono: startHonoServer } as const

/** A server on one of the adapters. */
export interface AdapterServer {
  readonly listening: Listening
  /** Returns the log lines since the last call as JSON, without generated values and times. */
  readonly logged: () => readonly string[]
}

/** Ids and tokens that are generated for a response. */
const GENERATED = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|eyJ[\w.-]+/g

/** Serves a core through one adapter, so that tests can send the same bytes through both. */
export const startAdapter = async (
  test: Pick<TestCountersign, 'countersign'>,
  adapter: keyof typeof adapters,
  options: Partial<ListenOptions> = {},
): Promise<AdapterServer> => {
  const logger = recordingLogger()
  const listening = await adapters[adapter](test, { logger }, options)
  let seen = 0
  const logged = () => {
    const entries = logger.entries.slice(seen)
    seen = logger.entries.length
    return entries.map((entry) =>
      JSON.stringify(entry)
        .replaceAll(GENERATED, 'generated')
        .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0'),
    )
  }
  return { listening, logged }
}

/** Milliseconds between pieces, so that each arrives separately. */
const BETWEEN_PIECES = 20

/**
 * Returns the whole response to pieces that are sent one after the other. Generated values and times are left out, and headers
 * are in alphabetical order.
 */
export const answersTo = async ({ listening }: AdapterServer, ...pieces: readonly string[]): Promise<string> => {
  const connection = await openConnection(listening.url)
  connection.socket.setNoDelay(true)
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_PIECES))
    await new Promise((resolve) => connection.socket.write(piece, 'latin1', resolve))
  }
  connection.socket.end()
  return (await connection.closed())
    .replaceAll(GENERATED, 'generated')
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
