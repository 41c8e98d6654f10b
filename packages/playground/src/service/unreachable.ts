/** No answer came: the service is stopped, or the network is away. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable'
}
