import type { MigratedStorage, ProjectQuery } from '@countersign/core/storage'
import { aCustomer, anExpense, aProduct, aProductSchema, aProject, aResource, clockStart as now } from '@countersign/core/testing'

const sorts = ['created_at', 'updated_at', 'name', 'unique_code', 'contract_value', 'reply_date', 'status', 'progress'] as const

const MANY = 70

/** Lists projects in every way with its own statement: each sort, each filter, and rare, common and short searches. */
const callLists = async ({ projects: { projects } }: MigratedStorage, customerId: string): Promise<void> => {
  const list = (given: Partial<ProjectQuery>) =>
    projects.list({ filters: {}, needle: undefined, sort: 'created_at', direction: 'desc', offset: 0, limit: 1, ...given })
  for (const sort of sorts) for (const direction of ['asc', 'desc'] as const) await list({ sort, direction })
  for (const filters of [
    { customerId },
    { status: 'pending' },
    { progress: 'bidding' as const },
    { customerId, status: 'pending' },
  ]) {
    await list({ filters })
    await list({ filters, sort: 'name' })
  }
  for (const needle of ['nowhere to be found', 'project', 'pr']) await list({ needle })
}

/** Calls every method of the stores of the project service. */
export const callProjects = async (storage: MigratedStorage, creatorId: number): Promise<void> => {
  const { customers, projects, productSchemas, resources, expenses } = storage.projects
  const customer = aCustomer()
  await customers.add(customer)
  await customers.byId(customer.id)
  await customers.list({ afterId: '', limit: 10 })

  const project = aProject({ customerId: customer.id, creatorId, products: [aProduct()], participantIds: [creatorId] })
  const { uniqueCode: _, ...unnumbered } = aProject({ customerId: customer.id, creatorId })
  await projects.create(unnumbered, 2026, (number) => `PRJ-${number}`)
  await projects.create(project, 1, () => project.uniqueCode)
  // Enough projects to index a full batch, and to fold the counters.
  for (let more = 0; more < MANY; more += 1) {
    const { uniqueCode: code, ...another } = aProject({ customerId: customer.id, creatorId })
    await projects.create(another, 1, () => code)
  }
  await projects.byCode(project.uniqueCode)
  await projects.detail(project)
  await projects.references([project.uniqueCode])
  await projects.ofPerson(creatorId)
  await callLists(storage, customer.id)
  await projects.change(project.uniqueCode, { name: 'another', contractValue: 2, status: 'approved' }, now)

  await resources.stage('import', [aResource({ projectId: project.id })], now)
  await resources.commitImport('import')
  await resources.discardImport('import')
  await resources.counts(project.uniqueCode)
  await expenses.stage('import', [anExpense({ projectId: project.id })], now)
  await expenses.commitImport('import')
  await expenses.discardImport('import')
  await expenses.sums(project.uniqueCode)

  const schema = aProductSchema()
  await productSchemas.registryVersion()
  await productSchemas.hold()
  await productSchemas.registry()
  await productSchemas.active()
  await productSchemas.register(schema)
  await productSchemas.byKey(schema.key)
  await productSchemas.setActive(schema.key, false)

  await projects.remove(project.uniqueCode, creatorId, now)
}
