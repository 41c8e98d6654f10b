/** The headers of a request. Several headers of one name are one text, joined by `, `, as `Headers.get` does. */
export type RequestHeaders = Pick<Headers, 'get' | 'has'>

/** A request, as the pipeline reads it. Each adapter makes it of the request of its platform. */
export interface HttpRequest {
  readonly method: string
  /** The URL or target. Only the query is read from it. */
  readonly url: string
  /** The path as the client wrote it: nothing is decoded or resolved. */
  readonly path: string
  /**
   * True if no URL parser changes the path. A path with dot segments, for example, is not canonical, and leads to no route: a proxy
   * that judges paths must see the same path as this server.
   */
  readonly isCanonical: boolean
  readonly headers: RequestHeaders
  /** Returns the address of the peer, if the platform knows it. */
  readonly peerAddress: () => string | undefined
  /** Returns a signal that is aborted when the client goes away before the response. */
  readonly disconnected: () => AbortSignal
  /**
   * Reads the whole body. Returns the bytes if all of them have arrived, and otherwise a promise of them.
   *
   * @param most The most bytes that the operation takes.
   * @throws WireRefusal for a longer body
   */
  readonly readBody: (most: number) => Uint8Array | Promise<Uint8Array>
}
