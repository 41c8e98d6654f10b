import type { Admit, Demands, Introspection } from './claims.ts'

/** The members of Hono's `Context` that the guard uses. */
interface HonoContext {
  readonly req: { header(name: string): string | undefined; param(name: string): string | undefined }
  set(key: 'claims', value: Introspection): void
}

/** The members of Express's request and response that the guard uses. */
interface ExpressRequest {
  readonly headers: { readonly authorization?: string | undefined }
  readonly params: Readonly<Record<string, string | string[]>>
}
interface ExpressResponse {
  readonly locals: Record<string, unknown>
  status(code: number): this
  set(headers: Record<string, string>): this
  json(body: unknown): unknown
}

/** The members of Fastify's request and reply that the guard uses. */
interface FastifyRequest {
  readonly headers: { readonly authorization?: string | undefined }
  readonly params: unknown
}
interface FastifyReply {
  code(status: number): this
  headers(values: Record<string, string>): this
  send(body: unknown): this
}

/** Guards for the routes of a service, by the framework of the service. */
export interface Guards {
  /** Makes middleware for Hono. Handlers read `c.get('claims')`: `new Hono<{ Variables: { claims: Introspection } }>()`. */
  hono(demands?: Demands<HonoContext>): (c: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>
  /** Makes middleware for Express 4 and 5. Handlers read the claims from `res.locals.claims`, as `Introspection`. */
  express(
    demands?: Demands<ExpressRequest>,
  ): (request: ExpressRequest, response: ExpressResponse, next: () => void) => Promise<void>
  /** Makes a hook for Fastify's `onRequest`. Handlers read the claims from `request.claims`. */
  fastify(demands?: Demands<FastifyRequest>): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
}

export const guardsOf = (admit: Admit): Guards => ({
  hono:
    (demands = {}) =>
    async (c, next) => {
      const admission = await admit(c.req.header('authorization'), demands, c)
      if ('refusal' in admission) {
        const { status, headers, body } = admission.refusal
        return Response.json(body, { status, headers })
      }
      c.set('claims', admission.claims)
      await next()
      return undefined
    },
  express:
    (demands = {}) =>
    async (request, response, next) => {
      const admission = await admit(request.headers.authorization, demands, request)
      if ('refusal' in admission) {
        const { status, headers, body } = admission.refusal
        response
          .status(status)
          .set({ ...headers })
          .json(body)
        return
      }
      response.locals.claims = admission.claims
      next()
    },
  fastify:
    (demands = {}) =>
    async (request, reply) => {
      const admission = await admit(request.headers.authorization, demands, request)
      if ('refusal' in admission) {
        const { status, headers, body } = admission.refusal
        return reply
          .code(status)
          .headers({ ...headers })
          .send(body)
      }
      const claimed = request as { claims?: Introspection }
      claimed.claims = admission.claims
      return undefined
    },
})
