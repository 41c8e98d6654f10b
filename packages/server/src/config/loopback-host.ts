/** Whether only this machine reaches what listens there. A name or address that is not surely of this machine is not. */
export const isLoopbackHost = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/i.test(host)
