import * as z from 'zod'
import type { ProjectErrorCode } from '../../error-codes.ts'
import { projectServiceErrors } from '../../errors/project-service.ts'
import { limits } from '../../limits.ts'
import {
  expenseCategories,
  type ProjectSortKey,
  projectProgressValues,
  projectSortKeys,
  resourceTypes,
  sortOrders,
} from '../../vocabulary.ts'
import { extended } from '../extended.ts'
import {
  currency,
  givenTimestamp,
  isStorable,
  oneOf,
  oneOfInAnyCase,
  plainText,
  queryInteger,
  requiredAction,
  text,
  timestamp,
} from '../fields.ts'

/** The code of a project, any text. One that no database can store becomes the empty text, which names no project. */
const uniqueCode = z.string({ error: 'must be the code of a project' }).transform((code) => (isStorable(code) ? code : ''))

/** The approval of a gated call, in the header `Confirmation-Id`. Without a gate the id has no effect. */
const confirmationId = text(1, 255, 'must be the id of a confirmation')
  .optional()
  .meta({ description: 'The id of an approved confirmation. Only a call that a gate refused without one needs it.' })

const name = plainText(1, limits.projectNameCharacters)
const description = plainText(0, limits.projectDescriptionCharacters)
const progress = oneOf(projectProgressValues)
const id = plainText(1, 255, 'must be an id')

const contractValueTakes = 'must be a number of at least 0'
const contractValue = z.number({ error: contractValueTakes }).min(0, { error: contractValueTakes })

const { projectStatusCharacters } = limits
const statusTakes = `must be text of 1 to ${projectStatusCharacters} characters without control characters`
const status = text(1, projectStatusCharacters, statusTakes).refine((value) => !/\p{Cc}/u.test(value), { error: statusTakes })

const atMost = <T extends z.ZodType>(item: T, count: number, ofWhat: string) => {
  const takes = `must be a list of at most ${count} ${ofWhat}`
  return z.array(item, { error: takes }).max(count, { error: takes })
}

/** The schema of the product type defines the attributes. */
const attributes = z.record(z.string(), z.unknown(), { error: 'must be an object' })

const product = z.object(
  {
    name,
    // Any text, so that the registry refuses every unknown type in the same way.
    productType: z.string({ error: 'must be a registered product type' }),
    description: description.optional(),
    attributes,
  },
  { error: 'must be an object' },
)

const listedProject = z
  .object({
    id: z.string(),
    uniqueCode: z.string(),
    name: z.string(),
    status: z.string(),
    progress,
    contractValue: z.number(),
    currency: z.string(),
    description: z.string(),
    replyDate: timestamp.nullable(),
    customerId: z.string(),
    creatorId: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'ListedProject' })

const contact = z.object({ id: z.string(), name: z.string(), email: z.string() })

const fullProject = listedProject
  .omit({ customerId: true, creatorId: true })
  .extend({
    customer: contact,
    creator: contact,
    tasks: z.array(z.object({ id: z.string(), name: z.string(), status: z.string() })),
    products: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        productType: z.string(),
        description: z.string(),
        attributes,
        schemaVersion: z.string(),
      }),
    ),
    participants: z.array(contact),
    documentFileIds: extended(z.array(z.string())),
  })
  .meta({ id: 'Project' })

type CamelCase<Key extends string> = Key extends `${infer Start}_${infer Rest}` ? `${Start}${Capitalize<CamelCase<Rest>>}` : Key

type SortKeySpelling = ProjectSortKey | CamelCase<ProjectSortKey>

const toCamelCase = <Key extends string>(key: Key) =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Key>

/** Each sort key in both spellings. */
const sortKeySpellings = new Map<SortKeySpelling, ProjectSortKey>(
  projectSortKeys.flatMap((key) => [[key, key] as const, [toCamelCase(key), key] as const]),
)

const sortBy = z
  .enum([...sortKeySpellings.keys()] as [SortKeySpelling, ...SortKeySpelling[]], {
    error: `must be one of ${projectSortKeys.join(', ')}`,
  })
  .transform((spelling) => sortKeySpellings.get(spelling) as ProjectSortKey)

const { default: pageSize, max: maxPageSize } = limits.projectsPerPage

const listInput = z.object({
  page: queryInteger(1, Number.MAX_SAFE_INTEGER, 'must be an integer of at least 1').default(1),
  limit: queryInteger(1, maxPageSize, `must be an integer from 1 to ${maxPageSize}`).default(pageSize),
  search: plainText(
    0,
    limits.searchCharacters,
    `must be text of at most ${limits.searchCharacters} characters without control characters`,
  ).optional(),
  sortBy: sortBy.default('created_at'),
  sortOrder: oneOfInAnyCase(sortOrders).default('desc'),
  status: plainText(1, 255).optional(),
  customerId: id.optional(),
  progress: progress.optional(),
})

const meta = z.object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int() })

const resourceType = oneOf(resourceTypes)
const changed = z.object({ data: fullProject, message: z.string() })

export const projectShapes = {
  'projects.list': { input: listInput, output: z.object({ data: z.array(listedProject), meta }) },
  'projects.get': { input: z.object({ uniqueCode }), output: z.object({ data: fullProject }) },
  'projects.create': {
    input: z.object({
      name,
      customerId: id,
      contractValue,
      currency,
      description: description.optional(),
      replyDate: givenTimestamp.optional(),
      documentFileIds: atMost(id, limits.documentsPerProject, 'ids').optional(),
      participantIds: atMost(id, limits.participantsPerProject, 'user ids').optional(),
      products: atMost(product, limits.productsPerProject, 'products').optional(),
    }),
    output: changed,
  },
  'projects.update': {
    input: z.object({
      uniqueCode,
      name: name.optional(),
      contractValue: contractValue.optional(),
      /** `null` clears the description. */
      description: description.nullish(),
      status: status.optional(),
      progress: progress.optional(),
      /** Members that a project always keeps. A request may repeat their values, so that a client can send a response back. */
      currency: currency.optional(),
      customerId: id.optional(),
      confirmationId,
    }),
    output: changed,
  },
  'projects.approve': { input: z.object({ uniqueCode, confirmationId }), output: changed },
  'projects.setProgress': { input: z.object({ uniqueCode, progress }), output: changed },
  'projects.remove': { input: z.object({ uniqueCode, confirmationId }), output: z.undefined() },
  'projects.countResources': {
    input: z.object({
      uniqueCode,
      resourceTypes: z
        .union([resourceType, z.array(resourceType)], { error: `must be among ${resourceTypes.join(', ')}` })
        .transform((types) => [...new Set(typeof types === 'string' ? [types] : types)])
        .optional(),
    }),
    output: z.object({ data: z.array(z.object({ type: resourceType, count: z.int(), status: z.string() })) }),
  },
  'projects.sumExpenses': {
    input: z.object({ uniqueCode }),
    output: z.object({
      /** The numbers are exact decimals, written with all their digits. */
      data: z.object({
        totalExpenses: z.number(),
        currency: z.string(),
        breakdown: z.record(oneOf(expenseCategories), z.number()),
      }),
    }),
  },
} as const

const errorCodes = Object.keys(projectServiceErrors) as [ProjectErrorCode, ...ProjectErrorCode[]]

/** Every error body of the project service. The error is a text if the attributes of a product do not match their schema. */
export const projectErrorBody = z
  .object({
    error: z.union([
      z.object({
        code: oneOf(errorCodes),
        message: z.string(),
        details: z.union([z.record(z.string(), z.string()), requiredAction]).meta({
          description:
            'Each bad field and what it takes; empty for an error that blames no field. In `CONFIRMATION_REQUIRED`, the action to confirm.',
        }),
        statusCode: z.int(),
      }),
      z.string(),
    ]),
  })
  .meta({ id: 'ProjectError' })
