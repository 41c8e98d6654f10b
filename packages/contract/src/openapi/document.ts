import { type Operation, type OperationName, operations, SERVICE_NAME_HEADER } from '../operations/index.ts'
import { requestLayoutOf } from '../request-layout.ts'
import { EXTENDED_HEADER } from '../schemas/extended.ts'
import { errorBody, tokenRefusal } from '../schemas/identity/internal.ts'
import { projectErrorBody } from '../schemas/projects/projects.ts'
import { shapes } from '../shapes.ts'
import { hasExtended } from '../shown-output.ts'
import { descriptions } from './descriptions/index.ts'
import { examples } from './examples/index.ts'
import { withNullForAbsent } from './nullable.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { refusalResponses, responseHeaders, responsesOf } from './responses.ts'
import { type JsonSchema, schemaConverter } from './schema.ts'

/** An OpenAPI 3.1 document, as JSON. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly [member: string]: unknown }
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly [member: string]: unknown
}

const description = `Device-bound authentication, signed approvals, and projects.

The authentication service wraps a response in a member \`data\`. Its errors are \`{ message, statusCode, code, details }\`.
Programs compare \`code\`; errors of status 400 have \`details\`, by field. The errors of the project service are
\`{ error: { code, message, details, statusCode } }\`. Timestamps are ISO 8601 in UTC. Unknown members of
a request are ignored, and \`null\` for an optional member means that it is absent.`

const tagDescriptions: Readonly<Record<string, string>> = {
  auth: 'Password login, renewal of tokens and logout',
  password: 'Passwords of users: change, and first or new password by a one-time code',
  account: 'The lock of an account',
  sessions: 'The sessions of the caller',
  devices: 'Registered devices and their keys',
  mobile: 'Login by the signature of a device',
  passkeys: 'Passkeys (WebAuthn)',
  confirmations: 'Actions that a registered device approves by signing, once',
  services: 'Approvals for other services',
  approvals: 'Approval requests, which several people approve',
  events: 'What happens to the user, live',
  receipts: 'The public keys that verify receipts of approvals',
  internal: 'Operations for other services',
  health: 'Health of the service',
  projects: 'Projects',
  productSchemas: 'The schemas of product types',
}

const operationTag = (name: string): string => name.slice(0, name.indexOf('.'))

const securityOf: Record<Operation['authentication'], readonly Record<string, readonly string[]>[]> = {
  none: [],
  user: [{ accessToken: [] }],
  service: [{ serviceToken: [] }],
  presented: [{ presentedToken: [] }],
}

const bearer = (text: string) => ({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: text })

const securitySchemes = {
  accessToken: bearer('An access token of a password, passkey or device-signed login'),
  serviceToken: bearer('A service token, with the name of its service in `X-Service-Name`'),
  presentedToken: bearer('The token to check: an access token of a user, or a service token'),
}

const isEmpty = ({ type, properties = {} }: JsonSchema): boolean => type === 'object' && Object.keys(properties).length === 0

const requestBodyOf = (name: OperationName, body: JsonSchema, example: unknown) => {
  const { body: limit } = requestLayoutOf(name)
  return {
    ...(limit === undefined ? {} : { description: `At most ${limit.bytes / 1024} KiB` }),
    required: limit?.isOptional !== true,
    content: { 'application/json': { schema: withNullForAbsent(body), example } },
  }
}

const extendedHeader: Parameter = {
  name: EXTENDED_HEADER,
  in: 'header',
  required: false,
  description: 'Asks for the members of the answer that are marked so',
  schema: { type: 'string', enum: ['1'] },
}

const serviceNameHeader: Parameter = {
  name: SERVICE_NAME_HEADER,
  in: 'header',
  required: true,
  description: 'The name of the calling service, which the service token has too',
  schema: { type: 'string' },
  example: 'billing',
}

interface About {
  readonly version: string
  /** The path under which the service is mounted, such as `/auth`. The default is the root. */
  readonly basePath?: string
}

/** Describes the whole HTTP interface in OpenAPI 3.1, from the table and the schemas that the server uses. */
export const openApiDocument = ({ version, basePath = '' }: About): OpenApiDocument => {
  const { components, convert } = schemaConverter()

  const describe = (name: OperationName) => {
    const operation: Operation = operations[name]
    const { input, output } = examples[name] as { input: Readonly<Record<string, unknown>>; output: unknown }
    const { parameters: ofInput, body } = parametersOf(operation, convert(shapes[name].input, 'input'), input)
    const parameters = [
      ...ofInput,
      ...(operation.authentication === 'service' ? [serviceNameHeader] : []),
      ...(hasExtended(shapes[name].output) ? [extendedHeader] : []),
    ]
    const inBody = Object.entries(input).filter(([member]) => !parameters.some((one) => isNamed(one.name, member, operation)))
    return {
      operationId: name,
      tags: [operationTag(name)],
      summary: operation.summary,
      description: descriptions[name],
      security: securityOf[operation.authentication],
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined || isEmpty(body) ? {} : { requestBody: requestBodyOf(name, body, Object.fromEntries(inBody)) }),
      responses: responsesOf(name, operation, {
        schema: convert(shapes[name].output, 'output'),
        example: output,
        hasQuery: parameters.some((one) => one.in === 'query'),
      }),
    }
  }

  const paths: Record<string, Record<string, unknown>> = {}
  const names = Object.keys(operations) as OperationName[]
  for (const name of names) {
    const { path, method }: Operation = operations[name]
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(name) }
  }
  for (const schema of [errorBody, tokenRefusal, projectErrorBody]) convert(schema.array(), 'output')

  return {
    openapi: '3.1.1',
    info: { title: 'Countersign', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: basePath || '/' }],
    tags: [...new Set(names.map(operationTag))].map((tag) => ({ name: tag, description: tagDescriptions[tag] })),
    paths,
    components: { schemas: components, responses: refusalResponses(namesIn(paths)), headers: responseHeaders, securitySchemes },
  }
}

const isNamed = (parameter: string, member: string, { headers }: Operation): boolean =>
  parameter === member || parameter === `${member}[]` || parameter === headers?.[member]

const namesIn = (paths: unknown): ReadonlySet<string> =>
  new Set([...JSON.stringify(paths).matchAll(/"#\/components\/responses\/(\w+)"/g)].map(([, name = '']) => name))
