/** The kinds of consumers: a host by the core, a service over HTTP, and a gate of an operation. */
export type ConsumerKind = 'host' | 'service' | 'gate'

/**
 * Returns the text that the database stores for a consumer, such as `service:billing`. The kind comes first, so that no host can
 * choose the name of a service.
 */
export const consumerName = (kind: ConsumerKind, name: string): string => `${kind}:${name}`
