import { type Output, shownOutput } from '@countersign/contract'
import type { Contact, Project, ProjectDetail } from '@countersign/core'

type ListedProject = Output<'projects.list'>['data'][number]
type FullProject = Output<'projects.get'>['data']

const givenContact = ({ id, name, email }: Contact) => ({ id: String(id), name, email })

/** Returns a project of a list with its ids as text. */
export const givenListedProject = (project: Project) => ({ ...project, creatorId: String(project.creatorId) })

/** Returns a project with everything that belongs to it, and its ids as text. */
export const givenProject = (project: ProjectDetail) => ({
  ...project,
  creator: givenContact(project.creator),
  participants: project.participants.map(givenContact),
})

const showList = shownOutput('projects.list')
const showProject = shownOutput('projects.get')

export const serializeListedProject = (project: Project): ListedProject =>
  (showList({ data: [givenListedProject(project)] }, false) as { readonly data: [ListedProject] }).data[0]

/** Returns a project as extended answers show it. */
export const serializeProject = (project: ProjectDetail): FullProject =>
  (showProject({ data: givenProject(project) }, true) as { readonly data: FullProject }).data
