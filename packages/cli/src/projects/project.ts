import type { Countersign, Project, ProjectDetail } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { CommandFailed } from '../shared/failures.ts'
import { facts, table } from '../shared/listing.ts'
import { wholeNumber } from '../shared/option-values.ts'
import type { Answer } from '../shared/output.ts'
import { type As, asOption, type GivenApproval, withApproval } from '../shared/with-approval.ts'

type Filters = Pick<Parameters<Countersign['projects']['list']>[0], 'search' | 'status' | 'customerId' | 'progress'>

interface List extends Filters {
  readonly limit?: number
}

const PAGE = 100

/** The matching projects, newest first. A project that moves to a later page during the reading is listed once. */
const matchingProjects = (
  { projects }: Countersign,
  filters: Filters,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Project[]> => {
  const found = new Map<string, Project>()
  const readFrom = async (page: number): Promise<readonly Project[]> => {
    const { projects: some, total } = await projects.list({ ...filters, caller: 'admin', page, limit: PAGE })
    for (const project of some) found.set(project.id, project)
    const isDone = some.length < PAGE || page * PAGE >= total || found.size >= most
    return isDone ? [...found.values()].slice(0, most) : readFrom(page + 1)
  }
  return most === 0 ? Promise.resolve([]) : readFrom(1)
}

const shownValue = ({ contractValue, currency }: Pick<Project, 'contractValue' | 'currency'>): string =>
  `${contractValue} ${currency}`

const toRow = (project: Project) => ({
  code: project.uniqueCode,
  name: project.name,
  status: project.status,
  progress: project.progress,
  value: shownValue(project),
  customer: project.customerId,
})

const shownContact = ({ name, email }: { readonly name: string; readonly email: string }): string =>
  name === '' ? email : `${name} <${email}>`

/** A project as in the HTTP interface, without the fields of extended responses. */
const toJson = async (project: ProjectDetail) => {
  const { documentFileIds: _, ...shown } = (await import('@countersign/server')).serializeProject(project)
  return shown
}

const toFacts = (project: Awaited<ReturnType<typeof toJson>>) => ({
  code: project.uniqueCode,
  name: project.name,
  status: project.status,
  progress: project.progress,
  value: shownValue(project),
  description: project.description,
  'reply by': project.replyDate,
  customer: shownContact(project.customer),
  creator: shownContact(project.creator),
  participants: project.participants.map(shownContact),
  products: project.products.map(({ name, productType, schemaVersion }) => `${name} (${productType} ${schemaVersion})`),
  tasks: project.tasks.map(({ name, status }) => `${name} (${status})`),
  created: project.createdAt,
  changed: project.updatedAt,
})

const changed = async (project: ProjectDetail, sentence: string): Promise<Answer> => ({
  json: await toJson(project),
  text: sentence,
})

/** The caller of a command: an admin, or with `--as` a user whose approval counts. The command line has every permission. */
const callerOf = ({ userId }: GivenApproval) => (userId === undefined ? ('admin' as const) : { userId, permissions: ['*.*'] })

export const addProjectCommands = (program: CliCommand): void => {
  const project = program.command('project').description('List, show, approve and delete projects')

  project
    .add('list', 'list projects, newest first; all projects if no option is given', '--status pending --limit 20')
    .option('--search <text>', 'only projects with this text in name or description, ignoring case')
    .option('--status <status>', 'only projects with this status')
    .option('--progress <stage>', 'only projects at this stage')
    .option('--customer <id>', 'only projects of this customer')
    .option('--limit <count>', 'the greatest number of projects', wholeNumber)
    .use(async (countersign, { limit, customer, search, status, progress }: List & { readonly customer?: string }) => {
      const projects = await matchingProjects(countersign, { search, status, progress, customerId: customer }, limit)
      const { serializeListedProject } = await import('@countersign/server')
      return { json: projects.map(serializeListedProject), text: table(projects.map(toRow), 'There are no such projects.') }
    })

  project
    .add('show', 'show a project with all its parts', 'PRJ-2026-000001')
    .argument('<code>', 'the unique code of the project')
    .use(async ({ projects }, uniqueCode: string) => {
      const json = await toJson(await projects.get({ uniqueCode, caller: 'admin' }))
      return { json, text: facts(toFacts(json)) }
    })

  project
    .add('approve', 'approve a project', 'PRJ-2026-000001')
    .argument('<code>', 'the unique code of the project')
    .option(...asOption)
    .use(async (countersign, uniqueCode: string, { as }: As) => {
      const { status } = await countersign.projects.get({ uniqueCode, caller: 'admin' })
      if (status === 'approved') throw new CommandFailed('The project is approved already')
      const approved = await withApproval(program.context, countersign, as, (approval) =>
        countersign.projects.approve({ uniqueCode, confirmationId: approval.confirmationId, caller: callerOf(approval) }),
      )
      return changed(approved, `Approved ${approved.uniqueCode}: ${approved.name}`)
    })

  project
    .add('delete', 'delete a project; it is no longer shown, and its record is kept', 'PRJ-2026-000001')
    .argument('<code>', 'the unique code of the project')
    .option(...asOption)
    .use(async (countersign, uniqueCode: string, { as }: As) => {
      const deleted = await countersign.projects.get({ uniqueCode, caller: 'admin' })
      await withApproval(program.context, countersign, as, (approval) =>
        countersign.projects.remove({ uniqueCode, confirmationId: approval.confirmationId, caller: callerOf(approval) }),
      )
      return changed(deleted, `Deleted ${deleted.uniqueCode}: ${deleted.name}`)
    })
}
