import { opened } from './countersign.ts'

/** A route handler of Next for all paths of Countersign. */
export const answer = async (request: Request): Promise<Response> => {
  const { fetch } = await opened()
  return fetch(request)
}
