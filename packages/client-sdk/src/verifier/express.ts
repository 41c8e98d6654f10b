import type { Admit, Demands } from './claims.ts'

/** The members of Express's request and response that the guard uses. */
export interface ExpressRequest {
  readonly headers: { readonly authorization?: string | undefined }
  readonly params: Readonly<Record<string, string | string[]>>
}
interface ExpressResponse {
  readonly locals: Record<string, unknown>
  status(code: number): this
  set(headers: Record<string, string>): this
  json(body: unknown): unknown
}

export type ExpressGuard = (request: ExpressRequest, response: ExpressResponse, next: () => void) => Promise<void>

export const expressGuard =
  (admit: Admit, demands: Demands<ExpressRequest>): ExpressGuard =>
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
  }
