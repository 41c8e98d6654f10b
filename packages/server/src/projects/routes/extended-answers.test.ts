import { describe, expect, it } from 'vitest'
import { createProjectApp, type FullProject } from '../../testing/project-app.ts'

/** The members of a project with its relations that the contract names, and nothing else. */
const CONTRACT_MEMBERS = [
  'contractValue',
  'createdAt',
  'creator',
  'currency',
  'customer',
  'description',
  'id',
  'name',
  'participants',
  'products',
  'progress',
  'replyDate',
  'status',
  'tasks',
  'uniqueCode',
  'updatedAt',
]

const setUp = async () => {
  const test = await createProjectApp()
  const body = test.body({ documentFileIds: ['file-2', 'file-1'] })
  const { uniqueCode } = await test.create(body)
  const path = `/api/v1/projects/${uniqueCode}`
  const requests = [
    ['POST', '/api/v1/projects', body],
    ['GET', path, undefined],
    ['PATCH', path, { name: 'Tunnel' }],
    ['PATCH', `${path}/progress`, { progress: 'bidding' }],
    ['PUT', `${path}/approved`, {}],
  ] as const
  const projectsFor = async (headers: Readonly<Record<string, string>>) => {
    const projects: FullProject[] = []
    for (const [method, target, json] of requests) {
      const sent = json === undefined ? {} : { json }
      const answer = await test.send(method, target, { token: test.token, headers, ...sent })
      projects.push((answer.body as { data: FullProject }).data)
    }
    return projects
  }
  return { ...test, projectsFor }
}

describe('an extended response', () => {
  it('contains the document ids of a single project', async () => {
    const { projectsFor } = await setUp()
    for (const project of await projectsFor({ 'Countersign-Extended': '1' })) {
      expect(project.documentFileIds).toEqual(['file-2', 'file-1'])
      expect(Object.keys(project).sort()).toEqual([...CONTRACT_MEMBERS, 'documentFileIds'].sort())
    }
  })

  it.each([{}, { 'Countersign-Extended': '' }, { 'Countersign-Extended': '0' }, { 'Countersign-Extended': 'true' }])(
    'is not sent for the headers %j: the response has only the members of the contract',
    async (headers) => {
      const { projectsFor } = await setUp()
      for (const project of await projectsFor(headers)) expect(Object.keys(project).sort()).toEqual(CONTRACT_MEMBERS)
    },
  )

  it('of a list is the same as the normal response', async () => {
    const test = await setUp()
    const list = (headers: Readonly<Record<string, string>>) =>
      test.send('GET', '/api/v1/projects', { token: test.token, headers })
    expect((await list({ 'Countersign-Extended': '1' })).body).toEqual((await list({})).body)
  })
})
