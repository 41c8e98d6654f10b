/** What is read of a request. A `Request` is one. */
export interface Asked extends Pick<Request, 'method' | 'url' | 'body' | 'arrayBuffer'> {
  readonly headers: Pick<Headers, 'get' | 'has'>
  /** The whole body, where it has arrived before the request is looked at; `body` and `arrayBuffer` then say nothing. */
  readonly arrived?: Uint8Array
}

/** The body of a request as a stream that nobody reads yet. */
interface PlainBody {
  /** Bytes that have arrived. */
  readonly readableLength: number
  /** All of them; `null` where there are none. */
  read(): Uint8Array | null
  /** Lets the stream come to its end. */
  resume(): unknown
}

/** A request as Node's own server has it. */
export interface PlainRequest extends Partial<PlainBody> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[]
  readonly socket?: { readonly remoteAddress?: string | undefined }
}

const noBody = { body: null, arrayBuffer: async () => new ArrayBuffer(0) } as const

/** The value of a header, as `Headers.get` tells it: several of one name in one text. */
const headerOf = (rawHeaders: readonly string[], wanted: string): string | null => {
  const name = wanted.toLowerCase()
  let value: string | null = null
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? ''
    if (given.length !== name.length || given.toLowerCase() !== name) continue
    const text = rawHeaders[at + 1] ?? ''
    value = value === null ? text : `${value}, ${text}`
  }
  return value
}

/** A request read where it lies; without a body where none is given. */
export const askedPlainly = ({ method = '', url = '', rawHeaders }: PlainRequest, arrived?: Uint8Array): Asked => ({
  method,
  url,
  headers: {
    get: (name) => headerOf(rawHeaders, name),
    has: (name) => headerOf(rawHeaders, name) !== null,
  },
  ...(arrived === undefined ? noBody : { ...noBody, arrived }),
})
