import type { Output } from '@countersign/contract'
import { type Contact, type Project, type ProjectDetail, toIsoTimestamp } from '@countersign/core'
import type { ProjectList } from '@countersign/core/types'

type ListedProject = Output<'projects.list'>['data'][number]
type FullProject = Output<'projects.get'>['data']

/** The members that both forms of a project have. */
const serializeFacts = (project: Project): Omit<ListedProject, 'customerId' | 'creatorId'> => ({
  id: project.id,
  uniqueCode: project.uniqueCode,
  name: project.name,
  status: project.status,
  progress: project.progress,
  contractValue: project.contractValue,
  currency: project.currency,
  description: project.description,
  replyDate: project.replyDate === null ? null : toIsoTimestamp(project.replyDate),
  createdAt: toIsoTimestamp(project.createdAt),
  updatedAt: toIsoTimestamp(project.updatedAt),
})

/** A project as a list shows it. */
export const serializeListedProject = (project: Project): ListedProject => ({
  ...serializeFacts(project),
  customerId: project.customerId,
  creatorId: String(project.creatorId),
})

const serializeContact = ({ id, name, email }: Contact): FullProject['creator'] => ({ id: String(id), name, email })

/** A project with everything that belongs to it. */
export const serializeProject = (project: ProjectDetail): FullProject => ({
  ...serializeFacts(project),
  customer: { id: project.customer.id, name: project.customer.name, email: project.customer.email },
  creator: serializeContact(project.creator),
  tasks: project.tasks.map(({ id, name, status }) => ({ id, name, status })),
  products: project.products.map(({ id, name, productType, description, attributes, schemaVersion }) => ({
    id,
    name,
    productType,
    description,
    attributes,
    schemaVersion,
  })),
  participants: project.participants.map(serializeContact),
  documentFileIds: [...project.documentFileIds],
})

export const serializeProjectList = ({ projects, page, limit, total }: ProjectList): Output<'projects.list'> => ({
  data: projects.map(serializeListedProject),
  meta: { page, limit, total, totalPages: Math.ceil(total / limit) },
})

/** A changed project, with a sentence about the change. */
export const serializeChangedProject = (project: ProjectDetail, message: string): Output<'projects.update'> => ({
  data: serializeProject(project),
  message,
})
