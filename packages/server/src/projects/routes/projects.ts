import { JsonText, type Output, type projectOperations } from '@countersign/contract'
import { type Amount, type CountersignProjects, type ExpenseSummary, formatAmount, type ProjectDetail } from '@countersign/core'
import { WithJsonText } from '../../http/json-text.ts'
import type { HandlersOf } from '../../http/operation-handler.ts'
import { serializeRegistry } from '../serializers/product-schema.ts'
import { givenListedProject, givenProject } from '../serializers/project.ts'

/** An exact decimal as a JSON number: a double would lose digits. */
const exactly = (amount: Amount): JsonText<number> => new JsonText<number>(formatAmount(amount))

const givenExpenses = ({ total, currency, byCategory }: ExpenseSummary) =>
  new WithJsonText<Output<'projects.sumExpenses'>>({
    data: {
      totalExpenses: exactly(total),
      currency,
      breakdown: {
        materials: exactly(byCategory.materials),
        labor: exactly(byCategory.labor),
        overhead: exactly(byCategory.overhead),
      },
    },
  })

const changed = async (project: Promise<ProjectDetail>, message: string) => ({ data: givenProject(await project), message })

export const projectHandlers = ({ projects, resources, expenses, productSchemas }: CountersignProjects) =>
  ({
    'projects.list': async ({ input, caller }) => {
      const { projects: some, ...meta } = await projects.list({ ...input, caller })
      return { data: some.map(givenListedProject), meta: { ...meta, totalPages: Math.ceil(meta.total / meta.limit) } }
    },
    'projects.get': async ({ input, caller }) => ({ data: givenProject(await projects.get({ ...input, caller })) }),
    'projects.create': async ({ input, caller }) => changed(projects.create({ ...input, caller }), 'Project created'),
    'projects.update': async ({ input, caller }) => changed(projects.update({ ...input, caller }), 'Project updated'),
    'projects.approve': async ({ input, caller }) => changed(projects.approve({ ...input, caller }), 'Project approved'),
    'projects.setProgress': async ({ input, caller }) =>
      changed(projects.setProgress({ ...input, caller }), 'Project progress updated'),
    'projects.remove': async ({ input, caller }) => {
      await projects.remove({ ...input, caller })
      return undefined
    },
    'projects.countResources': async ({ input, caller }) => ({ data: await resources.count({ ...input, caller }) }),
    'projects.sumExpenses': async ({ input, caller }) => givenExpenses(await expenses.sum({ ...input, caller })),
    // Every caller with a token may read the registry, because it describes how to create a product.
    'productSchemas.list': async () => ({ data: serializeRegistry(await productSchemas.list()) }),
    'productSchemas.ofType': async ({ input }) => ({ data: serializeRegistry(await productSchemas.ofType(input)) }),
  }) satisfies HandlersOf<typeof projectOperations>
