import type { RequestLayout } from '@countersign/contract'
import { Invalid } from '@countersign/core'
import type { Asked } from './asked.ts'
import { type MaybePromise, mapMaybe } from './maybe-promise.ts'
import { readJsonBody } from './read-json-body.ts'
import { createQueryReader } from './read-query.ts'

/** What was sent to an operation, from wherever its members travel. Not yet checked by the contract. */
export interface Collected {
  readonly input: Readonly<Record<string, unknown>>
  /** How a member of the body is written. */
  readonly sourceOf: (member: string) => string | undefined
}

type HeaderNames = NonNullable<RequestLayout['headers']>

const noSources = (): undefined => undefined

/** The members that travel in headers. One that is missing is `undefined`, so that no query member of its name takes its place. */
const headerMembers = (headers: Asked['headers'], names: HeaderNames): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(names).map(([member, name]) => [member, headers.get(name) ?? undefined]))

/** Collects the input of an operation from a request. */
export type CollectInput = (request: Asked, pathMembers: Readonly<Record<string, string>>) => MaybePromise<Collected>

/**
 * Makes the collector of an operation's input: query or JSON body, then headers, then path members, each of which takes the
 * place of what came before. It throws Invalid and WireRefusal.
 */
export const createCollectInput = ({ query, body, headers: names }: RequestLayout): CollectInput => {
  const readQuery = createQueryReader(query)
  const readSent = (request: Asked): MaybePromise<Collected> => {
    if (body === undefined) return { input: readQuery(request.url), sourceOf: noSources }
    return mapMaybe(readJsonBody(request, body), ({ value, sources }) => ({
      input: value,
      sourceOf: (member) => sources.get(member),
    }))
  }
  return (request, pathMembers) =>
    mapMaybe(readSent(request), ({ input, sourceOf }) => {
      const inHeaders = names === undefined ? {} : headerMembers(request.headers, names)
      return { input: { ...input, ...inHeaders, ...pathMembers }, sourceOf }
    })
}

/** Names the headers in complaints about members that travel in them: a caller knows those. */
export const namingHeaders = (error: unknown, names: HeaderNames | undefined): unknown =>
  error instanceof Invalid && names !== undefined
    ? new Invalid(Object.fromEntries(Object.entries(error.fields).map(([field, takes]) => [names[field] ?? field, takes])))
    : error
