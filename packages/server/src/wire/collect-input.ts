import type { Operation } from '@countersign/contract'
import { Invalid, type Soon, whenKnown } from '@countersign/core'
import type { Asked } from './asked.ts'
import { readJsonBody } from './read-json-body.ts'
import { readQuery } from './read-query.ts'

/** What was sent to an operation, from wherever its members travel. Not yet checked by the contract. */
export interface Collected {
  readonly input: Readonly<Record<string, unknown>>
  /** How a member of the body is written. */
  readonly sourceOf: (member: string) => string | undefined
}

type HeaderNames = NonNullable<Operation['headers']>

const noSources = (): undefined => undefined

const readSent = (request: Asked, method: Operation['method']): Soon<Collected> => {
  if (method === 'GET' || method === 'DELETE') return { input: readQuery(request.url), sourceOf: noSources }
  return whenKnown(readJsonBody(request), ({ value, sources }) => ({
    input: value,
    sourceOf: (member) => sources.get(member),
  }))
}

/** The members that travel in headers. One that is missing is `undefined`, so that no query member of its name takes its place. */
const headerMembers = (headers: Asked['headers'], names: HeaderNames): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(names).map(([member, name]) => [member, headers.get(name) ?? undefined]))

/**
 * Collects the input of an operation: query (GET, DELETE) or JSON body, then headers, then path members, each of which
 * takes the place of what came before. @throws Invalid, WireRefusal
 */
export const collectInput = (
  request: Asked,
  { method, headers: names }: Pick<Operation, 'method' | 'headers'>,
  pathMembers: Readonly<Record<string, string>>,
): Soon<Collected> =>
  whenKnown(readSent(request, method), ({ input, sourceOf }) => {
    const inHeaders = names === undefined ? {} : headerMembers(request.headers, names)
    return { input: { ...input, ...inHeaders, ...pathMembers }, sourceOf }
  })

/** Names the headers in complaints about members that travel in them: a caller knows those. */
export const namingHeaders = (error: unknown, names: HeaderNames | undefined): unknown =>
  error instanceof Invalid && names !== undefined
    ? new Invalid(Object.fromEntries(Object.entries(error.fields).map(([field, takes]) => [names[field] ?? field, takes])))
    : error
