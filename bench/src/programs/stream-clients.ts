import { connect } from 'node:net'
import { answerCalls } from '../harness/program.ts'

export interface StreamClients {
  readonly url: string
  readonly tokens: readonly string[]
  /** The streams of each token. */
  readonly each: number
}

/** Milliseconds within which a stream sends its first event. */
const PATIENCE = 60_000
/** The streams that open at the same time. */
const GROUP = 50

const openStream = (url: URL, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname)
    const late = setTimeout(() => reject(new Error('a stream sent no event')), PATIENCE)
    socket.once('error', reject)
    socket.on('data', (data) => {
      clearTimeout(late)
      if (data.includes('read_again')) resolve()
      else if (data.includes('HTTP/1.1 ') && !data.includes(' 200 ')) reject(new Error(String(data).slice(0, 300)))
    })
    socket.write(`GET /api/v1/auth/events HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  })

/** Opens event streams, and keeps them until the process ends. */
export const program = answerCalls<StreamClients, void>({
  open: async ({ url, tokens, each }) => {
    const target = new URL(url)
    const all = tokens.flatMap((token) => Array.from({ length: each }, () => token))
    for (let begun = 0; begun < all.length; begun += GROUP) {
      await Promise.all(all.slice(begun, begun + GROUP).map((token) => openStream(target, token)))
    }
  },
})
