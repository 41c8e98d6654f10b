import { expect, it } from 'vitest'
import { InvalidAccessToken } from '../../../identity/authentication/errors.ts'
import { toIsoTimestamp } from '../../../shared/clock.ts'
import { atOnce, gate } from '../at-once.ts'
import { givenUser } from '../given.ts'
import type { TenantWorld } from './tenant-world.ts'

const OPENINGS = 8
const TOKENS = [0, 1] as const

/** Declares that no bound session outlives the tokens of its service, whichever of the two is first. */
export const revocationContract = (world: () => TenantWorld): void => {
  /** A user of a tenant, and a service with two tokens for it. */
  const given = async (service: string) => {
    const { countersign, clock, storage } = world()
    const user = await givenUser(storage, { permissions: ['tenant.member@acme'] })
    const issued = await Promise.all(
      TOKENS.map(() => countersign.serviceTokens.issue({ service, scopes: ['session.open'], within: ['acme'] })),
    )
    const callers = await Promise.all(
      issued.map(({ token }) => countersign.auth.authenticateService({ token, serviceName: service })),
    )
    const open = (index: number) =>
      countersign.sessions.openForService({
        service: callers[index % callers.length] ?? { name: service, scopes: [] },
        user: { id: user.id },
        signedInAt: toIsoTimestamp(clock.now()),
        method: 'oidc',
      })
    return { user, open, revokeAll: () => Promise.all(issued.map(({ id }) => countersign.serviceTokens.revoke({ id }))) }
  }

  /** Revokes the tokens once this many sessions are open, while the others are being opened. */
  const revokeAfter = async (opened: number): Promise<void> => {
    const { countersign, clock, storage } = world()
    const { user, open, revokeAll } = await given(`revoked after ${opened}`)
    const enough = gate()
    let count = 0
    if (opened === 0) enough.open()
    const revoked = enough.passed.then(revokeAll)
    const tokens = await atOnce(OPENINGS, async (index) => {
      try {
        const { accessToken } = await open(index)
        count += 1
        if (count === opened) enough.open()
        return [accessToken]
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidAccessToken)
        return []
      }
    })
    await revoked
    expect(await storage.sessions.ofUser(user.id, clock.now())).toStrictEqual([])
    for (const token of tokens.flat()) {
      await expect(countersign.auth.authenticate({ token })).rejects.toThrow(InvalidAccessToken)
    }
    await expect(open(0)).rejects.toThrow(InvalidAccessToken)
  }

  it.each([0, 1, 4, 7])(
    'no session of a bound service is live once its tokens are revoked, which begins after %i of 8 are open',
    (opened) => revokeAfter(opened),
  )
}
