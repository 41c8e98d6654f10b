export {
  type CookieOptions,
  createServerSession,
  type ServerSession,
  type ServerSessionOptions,
  type SetCookie,
} from './create-server-session.ts'
export type { RequestHeaders, ServerRequest } from './request.ts'
