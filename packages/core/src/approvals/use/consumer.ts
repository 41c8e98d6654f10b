/** The user of an approval: a host by the core, another service over HTTP, or a gate of an operation. */
export interface Consumer {
  readonly kind: 'host' | 'service' | 'gate'
  /** The one operation that a host names, the name of a service, or the name of a gate. */
  readonly name: string
  /** The idempotency key of the use; `null` for none. */
  readonly key: string | null
}

/** Returns the stored text of a consumer, such as `service:billing`. The kind comes first, so no host can choose it. */
export const consumerName = ({ kind, name }: Pick<Consumer, 'kind' | 'name'>): string => `${kind}:${name}`
