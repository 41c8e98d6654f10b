import type { projectOperations } from '../../operations/projects.ts'
import { type Examples, noon } from './example.ts'

const projectCode = 'PRJ-2026-000042'

const attributes = {
  name: 'Load monitor',
  version: '1.2.3',
  licenseType: 'subscription',
  deployment: { type: 'cloud', platforms: ['linux'] },
}

const listedProject = {
  id: '0197f3c2-7b1e-7c2a-9b5e-1f2a3b4c5d6e',
  uniqueCode: projectCode,
  name: 'A bridge',
  status: 'pending',
  progress: 'technical_negotiating',
  contractValue: 125_000,
  currency: 'EUR',
  description: 'Over the river',
  replyDate: '2026-03-01T00:00:00.000Z',
  customerId: '0197f3c2-0000-7c2a-9b5e-1f2a3b4c5d6e',
  creatorId: '7',
  createdAt: noon,
  updatedAt: noon,
} as const

const { customerId, creatorId, ...common } = listedProject

const project = {
  ...common,
  customer: { id: customerId, name: 'Riverside Council', email: 'works@riverside.example' },
  creator: { id: creatorId, name: 'Ada', email: 'ada@example.com' },
  tasks: [],
  products: [
    {
      id: '0197f3c2-7b1f-7c2a-9b5e-1f2a3b4c5d6e',
      name: 'Load monitor',
      productType: 'software',
      description: '',
      attributes,
      schemaVersion: '1.0.0',
    },
  ],
  participants: [],
}

const registry = {
  data: {
    version: '2',
    schemas: [
      {
        type: 'software',
        key: 'product_schema:software:v1.0.0',
        version: '1.0.0',
        title: 'Software',
        active: true,
        requiredFields: ['name', 'version', 'licenseType'],
      },
    ],
  },
}

export const projectExamples: Examples<keyof typeof projectOperations> = {
  'projects.list': {
    input: { page: 1, limit: 10, search: 'bridge', sortBy: 'created_at', sortOrder: 'desc', status: 'pending' },
    output: { data: [listedProject], meta: { page: 1, limit: 10, total: 1, totalPages: 1 } },
  },
  'projects.get': { input: { uniqueCode: projectCode }, output: { data: project } },
  'projects.create': {
    input: {
      name: 'A bridge',
      customerId,
      contractValue: 125_000,
      currency: 'EUR',
      description: 'Over the river',
      replyDate: '2026-03-01T00:00:00Z',
      products: [{ name: 'Load monitor', productType: 'software', attributes }],
    },
    output: { data: project, message: 'Project created' },
  },
  'projects.update': {
    input: { uniqueCode: projectCode, name: 'A longer bridge', contractValue: 150_000 },
    output: { data: { ...project, name: 'A longer bridge', contractValue: 150_000 }, message: 'Project updated' },
  },
  'projects.approve': {
    input: { uniqueCode: projectCode },
    output: { data: { ...project, status: 'approved' }, message: 'Project approved' },
  },
  'projects.setProgress': {
    input: { uniqueCode: projectCode, progress: 'bidding' },
    output: { data: { ...project, progress: 'bidding' }, message: 'Project progress updated' },
  },
  'projects.remove': { input: { uniqueCode: projectCode }, output: undefined },
  'projects.countResources': {
    input: { uniqueCode: projectCode, resourceTypes: ['Task', 'Delivery'] },
    output: {
      data: [
        { type: 'Task', count: 3, status: 'open' },
        { type: 'Delivery', count: 0, status: 'none' },
      ],
    },
  },
  'projects.sumExpenses': {
    input: { uniqueCode: projectCode },
    output: { data: { totalExpenses: 1500.5, currency: 'EUR', breakdown: { materials: 1000.5, labor: 500, overhead: 0 } } },
  },
  'productSchemas.list': { input: {}, output: registry },
  'productSchemas.ofType': { input: { type: 'software' }, output: registry },
}
