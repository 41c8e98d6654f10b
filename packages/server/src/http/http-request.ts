/** The headers of a request. Several headers of one name are one text, joined by `, `, as `Headers.get` does. */
export type RequestHeaders = Pick<Headers, 'get' | 'has'>

/** A request, as the pipeline reads it. Each adapter makes it of the request of its platform. */
export interface HttpRequest {
  readonly method: string
  /** The URL or target. Only the query is read from it. */
  readonly url: string
  /** The path as the client wrote it: nothing is decoded or resolved. */
  readonly path: string
  /** True if no URL parser changes the path. Another path leads to no route: a proxy must judge the same path as this server. */
  readonly isCanonical: boolean
  readonly headers: RequestHeaders
  /** Returns the address of the peer, if the platform knows it. */
  readonly peerAddress: () => string | undefined
  /** Returns a signal that is aborted when the client goes away before the response. */
  readonly disconnected: () => AbortSignal
  /** Reads the whole body, and returns a promise only if it has not arrived. @throws WireRefusal for more than `most` bytes */
  readonly readBody: (most: number) => Uint8Array | Promise<Uint8Array>
}
