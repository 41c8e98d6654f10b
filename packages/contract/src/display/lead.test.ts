import { describe, expect, it } from 'vitest'
import type { actionTypes } from '../vocabulary.ts'
import { builtInWords, type DisplayDefinition, renderDisplay, shippedLanguages, vouchingWords } from './index.ts'
import { askedLabels, contextLabels, delegatedByLabel } from './labels.ts'
import { memberLabels } from './member-labels.ts'

type Payload = Readonly<Record<string, unknown>>
type Type = (typeof actionTypes)[number]

const asked = { requester: 'Ada', onBehalfOf: null, tenant: null, context: null }
const withoutIsolates = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '')
const uuid = '550e8400-e29b-41d4-a716-446655440000'

/** The lines of an action as people read them, with a star before each line that leads. */
const read = (actionType: Type, payload: Payload, language = 'en', context: Readonly<Record<string, string>> | null = null) => {
  const lines = renderDisplay(builtInWords[actionType], payload, { ...asked, context })[language]?.lines ?? []
  return lines
    .filter(({ value }) => value !== '\u2068Ada\u2069')
    .map(({ label, value, lead }) => `${lead ? '* ' : ''}${label} = ${withoutIsolates(value)}`)
}

describe('the lines that lead', () => {
  it.each<[Type, Payload, readonly string[]]>([
    ['payment_approval', { recipient: 'Bob', amount: 5, currency: 'EUR' }, ['* Amount = 5.00 EUR', '* Recipient = Bob']],
    ['document_approval', { documentId: 'doc-7', documentName: 'Lease' }, ['* Document = Lease', 'Document id = doc-7']],
    ['sensitive_data_access', { dataType: 'Salaries', reason: 'Audit' }, ['* Data = Salaries', '* Reason = Audit']],
    ['device_register', { deviceName: 'Phone', deviceType: 'mobile' }, ['* Device = Phone', 'Kind of device = mobile']],
    ['password_change', { userId: 7 }, ['* User = 7']],
  ])('of %s are those that the person decides on', (actionType, payload, lines) => {
    expect(read(actionType, payload)).toStrictEqual(lines)
  })

  it('come first, and are the first line if the definition names none', () => {
    const line = (label: string, lead?: boolean) =>
      ({ label: { en: label }, pointer: `/${label}`, format: 'text', lead }) as const
    const leading = (lines: DisplayDefinition['lines']) =>
      renderDisplay({ title: { en: 'x' }, lines }, lines.length === 0 ? {} : { a: 1, b: 2 }, asked).en?.lines.map(
        ({ label, lead }) => [label, lead],
      )
    expect(leading([line('a'), line('b', true)])).toStrictEqual([
      ['b', true],
      ['a', undefined],
      ['Asked by', undefined],
    ])
    expect(leading([line('a'), line('b')])).toStrictEqual([
      ['a', true],
      ['b', undefined],
      ['Asked by', undefined],
    ])
    expect(leading([])).toStrictEqual([['Asked by', undefined]])
  })

  it('never have only a part of a list: a list that leads is one line with a count', () => {
    const permissions = ['project.read', 'project.write', 'a, b']
    expect(read('user_access', { userId: 'ada@example.com', permissions })).toStrictEqual([
      '* Permissions (3) = project.read, project.write, "a, b"',
      '* User = ada@example.com',
    ])
    expect(read('user_access', { userId: uuid, permissions }, 'de')).toStrictEqual([
      '* Berechtigungen (3) = project.read, project.write, "a, b"',
      `Einzelheiten = Benutzer: ${uuid}`,
    ])
    expect(read('payment_approval', { amount: 1, currency: 'EUR', recipient: ['Bob', 'Eve'] })[1]).toBe(
      '* Recipient (2) = Bob, Eve',
    )
  })

  it('are the name of a recipient with several members, and both lines of an amount that is no money', () => {
    const recipient = { iban: 'DE02120300000000202051', name: 'ACME', bank: { city: 'Kiel' } }
    expect(read('payment_approval', { amount: '1', currency: '000 EUR', recipient })).toStrictEqual([
      '* Amount = 1',
      '* Currency = 000 EUR',
      '* Recipient = ACME',
      'Recipient · IBAN = DE02 1203 0000 0000 2020 51',
      'Recipient · Bank · "city" = Kiel',
    ])
  })

  it('of a vouching are the device and its address, and numbers and programs are details', () => {
    const requestedFrom = { address: '203.0.113.7', userAgent: 'Mozilla/5.0 · Id: d-2', at: '2026-11-25T10:09:12.345Z' }
    const vouching = { deviceName: 'Phone', deviceType: 'mobile', deviceId: uuid, keyThumbprint: 'k-1', requestedFrom }
    const lines = renderDisplay(vouchingWords.device, vouching, asked).en?.lines ?? []
    expect(lines.filter(({ lead }) => lead).map(({ label }) => label)).toStrictEqual(['Device', 'Address'])
    expect(withoutIsolates(lines.at(-1)?.value ?? '')).toBe(
      `Kind of device: mobile · Program: "Mozilla/5.0 · Id: d-2" · Id: ${uuid} · Fingerprint of the key: k-1`,
    )
  })
})

describe('the items of an order', () => {
  const order = (items: readonly unknown[], language?: string, currency = 'EUR') =>
    read('purchase_order', { amount: 125, currency, supplier: 'X', items }, language).slice(2)

  it.each([
    ['en', 'Item = 10 × Screws M4 · 1,012.50'],
    ['de', 'Position = 10 × Screws M4 · 1.012,50'],
    ['fr', 'Article = 10 × Screws M4 · 1\u202f012,50'],
    ['es', 'Artículo = 10 × Screws M4 · 1012,50'],
    ['ar', 'البند = 10 × Screws M4 · 1,012.50'],
  ])('are written as people write them in %s', (language, line) => {
    expect(order([{ name: 'Screws M4', quantity: 10, unitPrice: 1012.5 }], language)).toStrictEqual([line])
  })

  it('show every further member, and a price in its own currency', () => {
    expect(order([{ name: 'Nuts', qty: '3', price: 2, currency: 'USD', sku: 'N-1', gift: false, box: { w: 1 } }])).toStrictEqual([
      'Item = 3 × Nuts · 2.00 USD · Article number: N-1 · "gift": no · "box": ("w": 1)',
    ])
    expect(order([{ name: 'Nuts', price: 2, currency: 'FOO' }])).toStrictEqual(['Item = Nuts · 2 · Currency: FOO'])
    expect(order([{ sku: 'N-1', quantity: 3 }, 'Bolts', ['a', [1]], {}])).toStrictEqual([
      'Item = Article number: N-1 · Quantity: 3',
      'Item = Bolts',
      'Item = a, (1)',
      'Item = —',
    ])
  })

  it('put a text in quotes that looks like several parts', () => {
    expect(order([{ name: 'Nuts · 2.00', quantity: 1, price: 99999 }])).toStrictEqual(['Item = 1 × "Nuts · 2.00" · 99,999.00'])
    expect(order([{ name: '5 × Nuts', note: 'a\nb: "c"' }])).toStrictEqual(['Item = "5 × Nuts" · Note: "a↵b: \\"c\\""'])
    expect(order([{ name: 'Nuts', quantity: '3 × 4' }])).toStrictEqual(['Item = Nuts · Quantity: "3 × 4"'])
  })
})

describe('a changed setting', () => {
  const change = (newValue: unknown, oldValue: unknown, language?: string) =>
    read('settings_change', { settingKey: 'limits', oldValue, newValue }, language)

  it('shows the new value before the old one', () => {
    expect(change(5000, 1000)).toStrictEqual(['* Setting = limits', '* New value = 5000', 'Old value = 1000'])
    expect(change([1, 2], null)).toStrictEqual(['* Setting = limits', '* New value (2) = 1, 2', 'Old value = —'])
    expect(change(true, { a: 1 })).toStrictEqual(['* Setting = limits', '* New value = yes', 'Old value = "a": 1'])
  })

  const next = { currency: 'EUR', daily: 5000, card: { online: true, abroad: false }, email: 'a@b.c' }
  const old = { daily: 1000, currency: 'EUR', card: { online: true, abroad: true }, note: 'x' }

  it.each([
    [
      'en',
      '* Changes – new value = "daily": 5000 · "card" › "abroad": no · E-mail: a@b.c · Note: —',
      'Changes – old value = "daily": 1000 · "card" › "abroad": yes · E-mail: — · Note: x',
      'Stays as it is = Currency: EUR · "card" › "online": yes',
    ],
    [
      'de',
      '* Ändert sich – neuer Wert = "daily": 5000 · "card" › "abroad": nein · E-Mail: a@b.c · Notiz: —',
      'Ändert sich – alter Wert = "daily": 1000 · "card" › "abroad": ja · E-Mail: — · Notiz: x',
      'Bleibt gleich = Währung: EUR · "card" › "online": ja',
    ],
    [
      'fr',
      '* Change – nouvelle valeur = "daily"\u00a0: 5000 · "card" › "abroad"\u00a0: non · E-mail\u00a0: a@b.c · Note\u00a0: —',
      'Change – ancienne valeur = "daily"\u00a0: 1000 · "card" › "abroad"\u00a0: oui · E-mail\u00a0: — · Note\u00a0: x',
      'Ne change pas = Devise\u00a0: EUR · "card" › "online"\u00a0: oui',
    ],
    [
      'es',
      '* Cambia – valor nuevo = "daily": 5000 · "card" › "abroad": no · Correo electrónico: a@b.c · Nota: —',
      'Cambia – valor anterior = "daily": 1000 · "card" › "abroad": sí · Correo electrónico: — · Nota: x',
      'No cambia = Moneda: EUR · "card" › "online": sí',
    ],
    [
      'ar',
      '* يتغيّر – القيمة الجديدة = "daily": 5000 · "card" › "abroad": لا · البريد الإلكتروني: a@b.c · ملاحظة: —',
      'يتغيّر – القيمة السابقة = "daily": 1000 · "card" › "abroad": نعم · البريد الإلكتروني: — · ملاحظة: x',
      'لا يتغيّر = العملة: EUR · "card" › "online": نعم',
    ],
  ])('marks the members of two objects that differ in %s', (language, ...lines) => {
    expect(change(next, old, language).slice(1)).toStrictEqual(lines)
  })

  it('says so if two objects are the same', () => {
    expect(change(old, old)).toStrictEqual([
      '* Setting = limits',
      'Stays as it is = "daily": 1000 · Currency: EUR · "card" › "online": yes · "card" › "abroad": yes · Note: x',
    ])
  })
})

describe('further members', () => {
  it('have labels in every language if they are usual, which are no labels of a line about who asks', () => {
    const taken = [...Object.values(askedLabels), ...Object.values(contextLabels), delegatedByLabel]
    for (const label of Object.values(memberLabels)) {
      for (const language of shippedLanguages) {
        expect(label[language]).toMatch(/\S/)
        expect(taken.map((one) => one[language])).not.toContain(label[language])
      }
    }
    const payload = {
      amount: 1,
      currency: 'EUR',
      recipient: 'Bob',
      iban: 'x',
      reference: 'R-1',
      subject: 'Rent',
      description: 'May',
    }
    expect(read('payment_approval', payload, 'de').slice(2)).toStrictEqual([
      'IBAN = x',
      'Referenz = R-1',
      'Betreff = Rent',
      'Beschreibung = May',
    ])
    expect(read('payment_approval', payload, 'ar').slice(2)).toStrictEqual([
      'رقم الآيبان = x',
      'المرجع = R-1',
      'الموضوع = Rent',
      'الوصف = May',
    ])
  })

  it('have their exact name in quotes otherwise, also if the requester says them of the asking', () => {
    const payload = { amount: 1, currency: 'EUR', recipient: 'Bob', Subject: 'x', toString: 'y' }
    expect(read('payment_approval', payload).slice(2)).toStrictEqual(['"Subject" = x', '"toString" = y'])
    expect(read('password_change', {}, 'en', { subject: 'x', amount: '1 EUR' }).slice(1)).toStrictEqual([
      '"subject" = x',
      '"amount" = 1 EUR',
    ])
  })

  it('show a hash in groups of four, and an amount with its currency', () => {
    const document = { documentId: uuid, documentName: 'Lease', documentHash: `sha256:${'0a1b'.repeat(8)}` }
    expect(read('document_approval', { ...document, amount: 7, currency: 'USD', userAgent: 'curl' })).toStrictEqual([
      '* Document = Lease',
      'Fingerprint of the document = sha256:0a1b 0a1b 0a1b 0a1b 0a1b 0a1b 0a1b 0a1b',
      'Amount = 7.00 USD',
      `Details = Document id: ${uuid} · Program: curl`,
    ])
    expect(read('document_approval', { ...document, documentHash: 'see the annex' })[1]).toBe(
      'Fingerprint of the document = see the annex',
    )
  })
})
