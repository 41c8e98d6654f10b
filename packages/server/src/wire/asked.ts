/** What is read of a request. A `Request` is one. */
export interface Asked extends Pick<Request, 'method' | 'url' | 'body' | 'arrayBuffer'> {
  readonly headers: Pick<Headers, 'get' | 'has'>
}

/** A request as Node's own server has it. */
export interface PlainRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[]
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

/** A request without a body, read where it lies. */
export const askedPlainly = ({ method = '', url = '', rawHeaders }: PlainRequest): Asked => ({
  method,
  url,
  headers: {
    get: (name) => headerOf(rawHeaders, name),
    has: (name) => headerOf(rawHeaders, name) !== null,
  },
  ...noBody,
})
