import type { RequestLayout } from '@countersign/contract'
import { errors } from '@countersign/core'
import type { HttpRequest, RequestHeaders } from './http-request.ts'
import { type JsonBody, readJsonBody } from './read-json-body.ts'
import { createQueryReader } from './read-query.ts'
import type { PathMembers } from './router.ts'

/** The input of an operation, from all places where its members travel. The contract has not checked it yet. */
export interface ReadInput {
  readonly input: Readonly<Record<string, unknown>>
  /** Returns the JSON text of a member of the body, as it came. */
  readonly sourceOf: (member: string) => string | undefined
}

type HeaderNames = NonNullable<RequestLayout['headers']>

const noSources = (): undefined => undefined

/** The members in headers. A missing header is `undefined`, so that no query member of the same name takes its place. */
const headerMembers = (headers: RequestHeaders, names: HeaderNames): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(names).map(([member, name]) => [member, headers.get(name) ?? undefined]))

/** Reads the input of an operation. Returns a promise only when the body has not arrived yet. */
export type InputReader = (request: HttpRequest, pathMembers: PathMembers) => ReadInput | Promise<ReadInput>

/** Makes the reader of an input: path members win over headers, and those over the rest. It throws Invalid and WireRefusal. */
export const createInputReader = ({ query, body, headers: names }: RequestLayout): InputReader => {
  const readQuery = createQueryReader(query)
  return (request, pathMembers) => {
    const withOthers = (input: ReadInput['input'], sourceOf: ReadInput['sourceOf']): ReadInput => ({
      input: { ...input, ...(names === undefined ? {} : headerMembers(request.headers, names)), ...pathMembers },
      sourceOf,
    })
    const withBody = ({ value, sources }: JsonBody): ReadInput => withOthers(value, (member) => sources.get(member))
    if (body === undefined) return withOthers(readQuery(request.url), noSources)
    const read = readJsonBody(request, body)
    return read instanceof Promise ? read.then(withBody) : withBody(read)
  }
}

/** Names the headers in complaints about their members, which the caller does not know. Other classes of errors stay. */
export const namingHeaders = (error: unknown, names: HeaderNames): unknown => {
  if (!(error instanceof errors.Invalid) || error.constructor !== errors.Invalid) return error
  if (!Object.keys(error.fields).some((field) => Object.hasOwn(names, field))) return error
  const named = Object.entries(error.fields).map(([field, takes]): readonly [string, string] => [
    (Object.hasOwn(names, field) ? names[field] : undefined) ?? field,
    takes,
  ])
  return new errors.Invalid(Object.fromEntries(named))
}
