import { describe, expect, it } from 'vitest'
import { clockStart } from '../../testing/fake-clock.ts'
import type { Project } from '../records/project.ts'
import { approverOf, projectAction } from './gated-action.ts'

const before: Project = {
  id: 'an id',
  uniqueCode: 'PRJ-2026-000001',
  name: 'A mill',
  status: 'pending',
  progress: 'technical_negotiating',
  contractValue: 10,
  currency: 'EUR',
  description: '',
  replyDate: null,
  customerId: 'a customer',
  creatorId: 1,
  createdAt: clockStart,
  updatedAt: clockStart,
}
const version = new Date(clockStart).toISOString()
const document = { documentId: before.uniqueCode, version, currency: 'EUR' }

describe('the action of a change', () => {
  it.each([
    ['nothing', {}, {}],
    ['the name', { name: 'A forge' }, { oldName: 'A mill' }],
    ['the status', { status: 'approved' }, { oldStatus: 'pending' }],
    ['the value', { contractValue: 0 }, { oldAmount: 10 }],
    ['what no approval covers', { description: 'New', progress: 'bidding' }, {}],
  ] as const)('shows the old value of what changes: %s', (_, change, old) => {
    const after: Project = { ...before, ...change }
    const { name, status, contractValue: amount } = after
    expect(projectAction('document_approval', 'project.update', { before, after })).toStrictEqual({
      actionType: 'document_approval',
      actionPayload: { ...document, documentName: name, operation: 'project.update', status, amount, ...old },
    })
  })

  it('shows all covered fields before and after, as a change of settings', () => {
    const after: Project = { ...before, name: 'A forge', updatedAt: clockStart + 1 }
    const shown = { name: 'A mill', status: 'pending', amount: 10, currency: 'EUR' }
    expect(projectAction('settings_change', 'project.approve', { before, after })).toStrictEqual({
      actionType: 'settings_change',
      actionPayload: {
        settingKey: 'project PRJ-2026-000001',
        oldValue: { ...shown, version },
        newValue: { ...shown, name: 'A forge' },
        operation: 'project.approve',
      },
    })
  })
})

describe('the action of a deletion', () => {
  it('shows the project without a new value', () => {
    const actionOf = (actionType: 'settings_change' | 'document_approval') =>
      projectAction(actionType, 'project.delete', { before, after: undefined }).actionPayload
    expect(actionOf('settings_change')).toMatchObject({ newValue: null, operation: 'project.delete' })
    expect(actionOf('document_approval')).toStrictEqual({
      ...document,
      documentName: 'A mill',
      operation: 'project.delete',
      status: 'pending',
      amount: 10,
    })
  })
})

it('the approver is the acting user; if an admin acts, nobody approves', () => {
  expect(approverOf({ userId: 7, permissions: [] }, 'conf_1')).toStrictEqual({ userId: 7, confirmationId: 'conf_1' })
  expect(approverOf('admin', 'conf_1')).toStrictEqual({ userId: undefined, confirmationId: 'conf_1' })
})
