import type { Admit, Demands, VerifiedClaims } from './claims.ts'

/** The members of Fastify's request and reply that the guard uses. */
export interface FastifyRequest {
  readonly headers: { readonly authorization?: string | undefined }
  readonly params: unknown
}
interface FastifyReply {
  code(status: number): this
  headers(values: Record<string, string>): this
  send(body: unknown): this
}

export type FastifyGuard = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

export const fastifyGuard =
  (admit: Admit, demands: Demands<FastifyRequest>): FastifyGuard =>
  async (request, reply) => {
    const admission = await admit(request.headers.authorization, demands, request)
    if ('refusal' in admission) {
      const { status, headers, body } = admission.refusal
      return reply
        .code(status)
        .headers({ ...headers })
        .send(body)
    }
    const claimed = request as { claims?: VerifiedClaims }
    claimed.claims = admission.claims
    return undefined
  }
