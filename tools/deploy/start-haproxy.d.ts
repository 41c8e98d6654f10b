export declare const haproxyIsThere: boolean
/**
 * Starts HAProxy with the configuration of `deploy/haproxy` in front of servers, until the test ends. Returns the addresses of its
 * frontend for the world, and of its frontend for services.
 */
export declare const startHaproxy: (servers: readonly number[]) => Promise<{
  readonly outside: string
  readonly inside: string
}>
