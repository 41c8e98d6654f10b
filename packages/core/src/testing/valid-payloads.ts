import type { ActionType } from '@countersign/contract'

/** A payload for each action type, with exactly the required members. */
export const validPayloads = {
  payment_approval: { amount: 1250.5, currency: 'EUR', recipient: 'ACME GmbH' },
  document_approval: { documentId: 'doc-7', documentName: 'Contract 7' },
  purchase_order: { amount: 99, supplier: 'ACME GmbH', items: ['paper'] },
  user_access: { userId: 7, permissions: ['project.read'] },
  settings_change: { settingKey: 'retention', oldValue: null, newValue: { days: 30 } },
  password_change: { userId: 'user-7' },
  device_register: { deviceName: "Ada's phone", deviceType: 'mobile' },
  sensitive_data_access: { dataType: 'payroll', reason: 'audit' },
} as const satisfies Record<ActionType, Record<string, unknown>>
