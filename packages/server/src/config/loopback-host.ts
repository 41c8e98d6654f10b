/** Returns whether only this machine can reach a server on this host. In doubt, the answer is false. */
export const isLoopbackHost = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/i.test(host)
