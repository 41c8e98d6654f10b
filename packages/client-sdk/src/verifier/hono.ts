import type { Admit, Demands, VerifiedClaims } from './claims.ts'

/** The members of Hono's `Context` that the guard uses. */
export interface HonoContext {
  readonly req: { header(name: string): string | undefined; param(name: string): string | undefined }
  set(key: 'claims', value: VerifiedClaims): void
}

export type HonoGuard = (c: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>

export const honoGuard =
  (admit: Admit, demands: Demands<HonoContext>): HonoGuard =>
  async (c, next) => {
    const admission = await admit(c.req.header('authorization'), demands, c)
    if ('refusal' in admission) {
      const { status, headers, body } = admission.refusal
      return Response.json(body, { status, headers })
    }
    c.set('claims', admission.claims)
    await next()
    return undefined
  }
