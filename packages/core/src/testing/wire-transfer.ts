/** The definition of a registered action type for tests: a transfer with a list, a date and an optional note. */
export const wireTransferDefinition = {
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['amount', 'currency', 'to'],
    properties: {
      amount: { type: 'number', exclusiveMinimum: 0 },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      to: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: { name: { type: 'string' }, account: { type: 'string' } },
      },
      date: { type: 'string' },
      invoices: { type: 'array', items: { type: 'string' } },
      express: { type: 'boolean' },
    },
  },
  display: {
    title: { en: 'Wire transfer', de: 'Überweisung' },
    lines: [
      { label: { en: 'Amount', de: 'Betrag' }, pointer: '/amount', format: 'money', currency: '/currency' },
      { label: { en: 'To', de: 'An' }, pointer: '/to/name', format: 'text' },
      { label: { en: 'Account', de: 'Konto' }, pointer: '/to/account', format: 'text' },
      { label: { en: 'Date', de: 'Datum' }, pointer: '/date', format: 'date' },
      { label: { en: 'Invoice', de: 'Rechnung' }, pointer: '/invoices', format: 'list' },
      { label: { en: 'Express', de: 'Eilig' }, pointer: '/express', format: 'text' },
    ],
  },
} as const

/** A payload of the wire transfer. */
export const wireTransferPayload = {
  amount: 1250.5,
  currency: 'EUR',
  to: { name: 'Ada’s Workshop' },
  invoices: ['2026-17', '2026-18'],
}
