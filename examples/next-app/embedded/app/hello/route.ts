import { callerOf } from '../../../../caller-of.ts'
import { opened } from '../../lib/countersign.ts'

/** A route of the host. */
export const GET = async (request: Request): Promise<Response> => {
  const { countersign } = await opened()
  const caller = await callerOf(countersign, request.headers.get('authorization') ?? undefined)
  if (caller === undefined) return Response.json({ message: 'Please sign in' }, { status: 401 })
  return Response.json({ message: `Hello, ${caller.email}` })
}
