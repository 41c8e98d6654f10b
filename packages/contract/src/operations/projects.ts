import { fields, gated, products, projects, readProjects } from './common.ts'
import type { Operation } from './operation.ts'

export const projectOperations = {
  'projects.list': {
    ...readProjects,
    path: '/api/v1/projects',
    refusals: [403],
    summary: 'List projects: filtered, searched, sorted, page by page',
  },
  'projects.get': {
    ...readProjects,
    path: '/api/v1/projects/{uniqueCode}',
    refusals: [403],
    summary: 'Read a project with everything that belongs to it',
  },
  'projects.create': {
    ...projects,
    method: 'POST',
    path: '/api/v1/projects',
    body: products,
    success: 201,
    refusals: [403, 409],
    summary: 'Create a project with its products and participants',
  },
  'projects.update': {
    ...projects,
    method: 'PATCH',
    path: '/api/v1/projects/{uniqueCode}',
    body: products,
    refusals: [403, 409, 410],
    headers: gated,
    summary: 'Change some members of a project',
  },
  'projects.approve': {
    ...projects,
    method: 'PUT',
    path: '/api/v1/projects/{uniqueCode}/approved',
    body: fields,
    refusals: [403, 409, 410],
    headers: gated,
    summary: 'Approve a project',
  },
  'projects.setProgress': {
    ...projects,
    method: 'PATCH',
    path: '/api/v1/projects/{uniqueCode}/progress',
    body: fields,
    refusals: [403],
    summary: 'Move a project to a stage of progress',
  },
  'projects.remove': {
    ...projects,
    method: 'DELETE',
    path: '/api/v1/projects/{uniqueCode}',
    success: 204,
    refusals: [403, 409, 410],
    headers: gated,
    summary: 'Delete a project; the service keeps its record',
  },
  'projects.countResources': {
    ...readProjects,
    path: '/api/v1/projects/{uniqueCode}/count-resources',
    refusals: [403],
    summary: 'Count the resources of a project by type and status',
  },
  'projects.sumExpenses': {
    ...readProjects,
    path: '/api/v1/projects/{uniqueCode}/expenses_count',
    refusals: [403],
    summary: 'Sum the expenses of a project by category',
  },
  'productSchemas.list': { ...readProjects, path: '/api/v1/product-schemas', summary: 'List the registered product schemas' },
  'productSchemas.ofType': {
    ...readProjects,
    path: '/api/v1/product-schemas/{type}',
    summary: 'List the registered versions of one product type',
  },
} as const satisfies Readonly<Record<string, Operation>>
