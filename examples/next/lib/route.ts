import { opened } from './countersign.ts'

/** Answers any request to one of Countersign's paths, as a route handler of Next. */
export const answer = async (request: Request): Promise<Response> => {
  const { fetch } = await opened()
  return fetch(request)
}
