import { expect } from 'vitest'

/** Milliseconds within which every server must know what another server changed. */
export const A_SECOND = 1000

/**
 * Expects that a question gets the answer yes if it is asked a second from now or later. The time that an answer takes is no part
 * of this promise: the server may have decided at its beginning, and a busy machine answers late.
 */
export const expectWithinASecond = async (ask: () => Promise<boolean>): Promise<void> => {
  const since = performance.now()
  for (let askedAt = 0; !(await ask()); askedAt = performance.now() - since) expect(askedAt).toBeLessThan(A_SECOND)
}
