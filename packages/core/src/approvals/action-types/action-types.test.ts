import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { NothingToChange } from '../../shared/errors.ts'
import { approve } from '../../testing/approve-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { wireTransferDefinition, wireTransferPayload } from '../../testing/wire-transfer.ts'

const type = 'wire_transfer'
const { schema, display } = wireTransferDefinition

let test: TestCountersign
beforeEach(async () => {
  test = await createTestCountersign()
})

const register = (definition: unknown = wireTransferDefinition, overrides: object = {}) =>
  test.countersign.actionTypes.register({ type, version: '1.0.0', definitionText: JSON.stringify(definition), ...overrides })

const initiate = ({ web }: DeviceUser, actionPayload: Record<string, unknown> = wireTransferPayload, actionType = type) =>
  test.countersign.confirmations.initiate({ caller: web.caller, actionType, actionPayload })

const withProperty = (name: string, member: object) => ({
  schema: { ...schema, properties: { ...schema.properties, [name]: member } },
  display,
})

describe('registering an action type', () => {
  it('lists the version, and shows its definition', async () => {
    const { uncheckedFormats, ...entry } = await register()
    expect(uncheckedFormats).toStrictEqual([])
    expect(entry).toStrictEqual({
      key: 'action_schema:wire_transfer:v1.0.0',
      type,
      version: '1.0.0',
      title: type,
      active: true,
      requiredFields: ['amount', 'currency', 'to'],
      registeredAt: test.clock.now(),
    })
    expect(await test.countersign.actionTypes.list()).toStrictEqual({ version: 1, actionTypes: [entry] })
    const { schemaText, displayText } = await test.countersign.actionTypes.show({ key: entry.key })
    expect([JSON.parse(schemaText), JSON.parse(displayText)]).toStrictEqual([schema, display])
  })

  it('lists the members whose `format` is a note only and is not checked, as the check does', async () => {
    const definition = { schema: withProperty('date', { type: 'string', format: 'date' }).schema, display }
    const uncheckedFormats = ['#/properties/date/format']
    expect(await test.countersign.actionTypes.check({ type, definitionText: JSON.stringify(definition) })).toMatchObject({
      uncheckedFormats,
    })
    expect(await register(definition)).toMatchObject({ uncheckedFormats })
  })

  it('is listed by type, then from the oldest to the newest version', async () => {
    for (const version of ['1.10.0', '1.2.0']) await register(undefined, { version })
    for (const other of ['wire_transfer_b', 'a_transfer']) await register(undefined, { type: other })
    const { actionTypes } = await test.countersign.actionTypes.list()
    expect(actionTypes.map((entry) => `${entry.type} ${entry.version}`)).toStrictEqual([
      'a_transfer 1.0.0',
      'wire_transfer 1.2.0',
      'wire_transfer 1.10.0',
      'wire_transfer_b 1.0.0',
    ])
  })

  it('is refused for a version that exists, and for a built-in type', async () => {
    await register()
    await expect(register()).rejects.toMatchObject({ code: 'action_type_taken' })
    await expect(register(undefined, { type: 'payment_approval' })).rejects.toMatchObject({
      fields: { type: expect.any(String) },
    })
    await expect(register(undefined, { type: 'No type' })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(register(undefined, { version: '1' })).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('is refused for a version that refuses what the active one accepts, unless that is allowed', async () => {
    await register()
    const narrower = { schema: { ...schema, required: [...schema.required, 'date'] }, display }
    const definitionText = JSON.stringify(narrower)
    const { compatible, breaking } = await test.countersign.actionTypes.check({ type, definitionText })
    await expect(register(narrower, { version: '1.1.0' })).rejects.toMatchObject({ code: 'action_type_breaks', breaking })
    expect([compatible, breaking.length]).toStrictEqual([false, 1])
    await expect(register(narrower, { version: '2.0.0', allowBreaking: true })).resolves.toMatchObject({ active: true })
  })

  it('is refused for a number with more digits than a double holds', async () => {
    const definitionText = '{"schema":{"properties":{"amount":{"maximum":653247040368672768}}},"display":{}}'
    const takes = 'must be a number that a double holds with all its digits; send a longer number as text'
    await expect(register(undefined, { definitionText })).rejects.toMatchObject({
      fields: { 'schema.properties.amount.maximum': takes },
    })
  })

  it.each([
    ['an open object', { schema: { ...schema, additionalProperties: true }, display }],
    ['an object that is open by default', withProperty('more', { type: 'object', properties: {} })],
    ['an object without properties', withProperty('more', { type: 'object', additionalProperties: false })],
    ['a member without a line', withProperty('note', { type: 'string' })],
    ['a member of any type', withProperty('note', {})],
    ['a member of several types', withProperty('note', { type: ['string', 'object'] })],
    ['pattern properties', { schema: { ...schema, patternProperties: { '^x': { type: 'string' } } }, display }],
    ['a combination of schemas', { schema: { ...schema, anyOf: [{ required: ['date'] }] }, display }],
    ['a reference', withProperty('note', { $ref: '#/properties/date' })],
    ['a list of objects', withProperty('rows', { type: 'array', items: { type: 'object', additionalProperties: false } })],
    ['a list of anything', withProperty('rows', { type: 'array' })],
    ['a schema of a text', { schema: { type: 'string' }, display }],
    [
      'a line for an unknown member',
      { schema, display: { ...display, lines: [...display.lines, { ...display.lines[1], pointer: '/x' }] } },
    ],
    [
      'an amount that is a text',
      { schema: { ...schema, properties: { ...schema.properties, amount: { type: 'string' } } }, display },
    ],
    ['a label that lacks a language', { schema, display: { ...display, title: { en: 'Wire transfer' } } }],
    ['a label with a hidden character', { schema, display: { ...display, title: { en: 'Wire\u202e', de: 'x' } } }],
    ['no lines', { schema, display: { ...display, lines: [] } }],
    ['another member', { schema, display: { ...display, colour: 'red' } }],
    ['four lines that lead', { schema, display: { ...display, lines: display.lines.map((line) => ({ ...line, lead: true })) } }],
    [
      'a lead that is a text',
      { schema, display: { ...display, lines: display.lines.map((line) => ({ ...line, lead: 'yes' })) } },
    ],
  ])('is refused for %s', async (_, definition) => {
    await expect(register(definition)).rejects.toMatchObject({
      code: 'display_refused',
      fields: { display: expect.any(String) },
    })
    expect(await test.countersign.actionTypes.list()).toMatchObject({ version: 0 })
  })

  it.each([
    ['payment_approval', { type: 'must not be a built-in type' }],
    ['test', { type: 'must not be test' }],
    ['wire_transfer@a@b', { tenant: 'must be one' }],
  ])('is refused for the type %s, and the error names the member', async (refused, fields) => {
    await expect(register(undefined, { type: refused })).rejects.toMatchObject({ fields })
  })

  const ofMembers = (properties: object) => ({ type: 'object', additionalProperties: false, properties })
  const noteAs = (format: string) => ({ label: { en: 'Note' }, pointer: '/note', format })
  it.each<[string, object, readonly object[], string]>([
    ['a schema of a text', { type: 'string' }, [], 'the schema must have type object'],
    ['a member without a type', ofMembers({ note: true }), [], '/note must have a type'],
    ['a member without a line', ofMembers({ note: { type: 'string' } }), [], '/note has no line'],
    [
      'a list of objects',
      ofMembers({ note: { type: 'array', items: { type: 'object', additionalProperties: false } } }),
      [],
      '/note must have items of one type: string, number, integer or boolean',
    ],
    [
      'a date that is a number',
      ofMembers({ note: { type: 'number' } }),
      [noteAs('date')],
      '/note has a type that its format cannot show',
    ],
    [
      'two members without a line',
      ofMembers({ a: { type: 'string' }, b: { type: 'string' } }),
      [],
      '/a has no line; /b has no line',
    ],
  ])('is refused for %s, and the error says why', async (_, given, lines, reasons) => {
    const refused = register({ schema: given, display: { title: { en: 'Note' }, lines } })
    await expect(refused).rejects.toMatchObject({
      message: `The action type cannot be shown: ${reasons}`,
      fields: { display: reasons },
    })
  })

  it('is refused for a label that lacks a language of the title, and the error names the line', async () => {
    const lines = display.lines.map((line) => (line.pointer === '/to/name' ? { ...line, label: { en: 'To' } } : line))
    await expect(register({ schema, display: { ...display, lines } })).rejects.toMatchObject({
      fields: { display: 'the label of /to/name must have the languages of the title: de, en' },
    })
  })

  it('accepts 3 lines that lead, and not 4', async () => {
    const leading = (most: number) => ({
      schema,
      display: { ...display, lines: display.lines.map((line, at) => ({ ...line, lead: at < most })) },
    })
    await expect(register(leading(4))).rejects.toMatchObject({ code: 'display_refused' })
    await expect(register(leading(3))).resolves.toMatchObject({ type })
  })

  it('accepts 50 lines, and not 51', async () => {
    const withLines = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `line${at}`)
      const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
      const lines = names.map((name) => ({ label: { en: name }, pointer: `/${name}`, format: 'text' }))
      return { schema: ofMembers(properties), display: { title: { en: 'Many' }, lines } }
    }
    await expect(register(withLines(51))).rejects.toMatchObject({ code: 'display_refused' })
    await expect(register(withLines(50))).resolves.toMatchObject({ type })
  })

  it('accepts an action without members', async () => {
    const nothing = {
      schema: { type: 'object', additionalProperties: false },
      display: { title: { en: 'Rotate keys' }, lines: [] },
    }
    await register(nothing)
    const user = await signInNewDeviceUser(test)
    await initiate(user, {})
    const [shown] = await test.countersign.confirmations.pending({ caller: user.mobile.caller })
    const lines = [{ label: 'Asked by', value: `\u2068${user.user.email}\u2069` }]
    expect(shown?.display).toStrictEqual({ en: { direction: 'ltr', title: 'Rotate keys', lines } })
  })

  const members = 'must be JSON with the members schema and display'
  it.each([
    ['', { definition: 'must be JSON' }],
    ['{', { definition: 'must be JSON' }],
    ['null', { definition: members }],
    ['[]', { definition: members }],
    [JSON.stringify({ schema: 1, display }), { definition: members }],
    ['{"schema":{},"schema":{},"display":{}}', { schema: 'must not be given twice' }],
    [JSON.stringify({ schema, display, colour: 'red' }), { display: 'the definition has members besides schema and display' }],
  ])('is refused for the definition %j, and the error says why', async (definitionText, fields) => {
    await expect(register(undefined, { definitionText })).rejects.toMatchObject({ kind: 'invalid', fields })
  })
})

describe('a confirmation of a registered type', () => {
  it('shows the action in each language, and its statement contains the words', async () => {
    await register()
    const user = await signInNewDeviceUser(test)
    const initiated = await initiate(user)
    const [shown] = await test.countersign.confirmations.pending({ caller: user.mobile.caller })
    const value = (text: string) => `\u2068${text}\u2069`
    expect(shown).toMatchObject({
      actionTypeVersion: '1.0.0',
      display: {
        en: {
          title: 'Wire transfer',
          lines: [
            { label: 'Amount', value: value('1,250.50 EUR'), lead: true },
            { label: 'To', value: value('Ada’s Workshop') },
            { label: 'Account', value: '—' },
            { label: 'Date', value: '—' },
            { label: 'Invoice', value: value('2026-17') },
            { label: 'Invoice', value: value('2026-18') },
            { label: 'Express', value: '—' },
            { label: 'Asked by', value: value(user.user.email) },
          ],
        },
        de: { title: 'Überweisung', direction: 'ltr' },
      },
    })
    await approve(test, user, initiated)
    const receipt = await test.countersign.receipts.ofUser({ caller: user.web.caller, confirmationId: initiated.id })
    const statement = JSON.parse(Buffer.from(receipt.split('~')[1] ?? '', 'base64url').toString())[2]
    expect(JSON.parse(statement.text)).toMatchObject({ actionType: type, actionTypeVersion: '1.0.0', display: shown?.display })
  })

  it('shows the lines first that its type names', async () => {
    const leading = display.lines.map((line) => ({ ...line, lead: line.pointer === '/invoices' || line.pointer === '/to/name' }))
    await register({ schema, display: { ...display, lines: leading } })
    const user = await signInNewDeviceUser(test)
    await initiate(user)
    const [shown] = await test.countersign.confirmations.pending({ caller: user.mobile.caller })
    expect(shown?.display.de?.lines.slice(0, 3)).toStrictEqual([
      { label: 'An', value: '\u2068Ada’s Workshop\u2069', lead: true },
      { label: 'Rechnung (2)', value: '\u2068\u20682026-17\u2069, \u20682026-18\u2069\u2069', lead: true },
      { label: 'Betrag', value: '\u20681.250,50 EUR\u2069' },
    ])
  })

  it('keeps its words when another version is registered', async () => {
    await register()
    const user = await signInNewDeviceUser(test)
    const initiated = await initiate(user)
    const renamed = { schema, display: { ...display, title: { en: 'Something else', de: 'Etwas anderes' } } }
    await register(renamed, { version: '1.1.0' })
    const later = await initiate(user)
    const pending = await test.countersign.confirmations.pending({ caller: user.mobile.caller })
    const shown = ({ id: ofShown }: { readonly id: string }) => pending.find(({ id }) => id === ofShown)
    expect(shown(later)).toMatchObject({ actionTypeVersion: '1.1.0' })
    expect(shown(initiated)).toMatchObject({ actionTypeVersion: '1.0.0', display: { en: { title: 'Wire transfer' } } })
    await expect(approve(test, user, initiated)).resolves.toBeUndefined()
  })

  it('is refused for a payload that the schema refuses, naming the member and not its value', async () => {
    await register()
    const user = await signInNewDeviceUser(test)
    const refused = initiate(user, { ...wireTransferPayload, amount: -77, note: 'x' })
    await expect(refused).rejects.toMatchObject({ kind: 'invalid', fields: { 'actionPayload.amount': expect.any(String) } })
    await expect(refused).rejects.not.toThrow(/77/)
  })

  it.each(['000 EUR', 'EUR 5', '', 'E.R', 'EUR\u00a0'])('is refused for the currency %j', async (currency) => {
    const properties = { ...schema.properties, currency: { type: 'string' } }
    await register({ schema: { ...schema, properties }, display })
    const user = await signInNewDeviceUser(test)
    await expect(initiate(user, { ...wireTransferPayload, currency })).rejects.toMatchObject({
      fields: { 'actionPayload.currency': 'must be a currency code' },
    })
    await expect(initiate(user, { ...wireTransferPayload, currency: '€' })).resolves.toHaveProperty('challenge')
  })

  it.each([1250.505, 1e21])('is refused for the amount %d, which is not possible in EUR', async (amount) => {
    const properties = { ...schema.properties, amount: { type: 'number' } }
    await register({ schema: { ...schema, properties }, display })
    const user = await signInNewDeviceUser(test)
    await expect(initiate(user, { ...wireTransferPayload, amount })).rejects.toMatchObject({
      fields: { 'actionPayload.amount': 'must be an amount that the currency has' },
    })
  })

  it('is refused for more values than a person can read', async () => {
    await register()
    const user = await signInNewDeviceUser(test)
    const invoices = Array.from({ length: 194 }, (_, index) => `${index}`)
    await expect(initiate(user, { ...wireTransferPayload, invoices })).resolves.toHaveProperty('challenge')
    await expect(initiate(user, { ...wireTransferPayload, invoices: [...invoices, '194'] })).rejects.toMatchObject({
      fields: { actionPayload: expect.stringContaining('at most 200 values') },
    })
  })

  it('may have words of 16 KiB in all languages, and no byte more', async () => {
    const texts = (text: string) => ({ en: text, de: text, fr: text, es: text, ar: text })
    const lines = [{ label: texts('Note'), pointer: '/note', format: 'text' }]
    const member = { type: 'object', additionalProperties: false, required: ['note'], properties: { note: { type: 'string' } } }
    const withTitle = (en: string) => ({ schema: member, display: { title: { ...texts('Note'), en }, lines } })
    const user = await signInNewDeviceUser(test)
    const initiateNote = (length: number, actionType = type) => initiate(user, { note: 'x'.repeat(length) }, actionType)
    const bytesOf = async (confirmationId: string) => {
      const { display: words } = await test.countersign.confirmations.status({ caller: user.web.caller, confirmationId })
      return Buffer.byteLength(JSON.stringify(words))
    }
    await register(withTitle('Note'))
    const left = 16 * 1024 - (await bytesOf((await initiateNote(1)).id))
    // Each character of the note is in five languages, and each of the English title in one.
    await register(withTitle(`Note${'x'.repeat(left % 5)}`), { type: 'exact_words' })
    const most = 1 + Math.floor(left / 5)
    expect(await bytesOf((await initiateNote(most, 'exact_words')).id)).toBe(16 * 1024)
    await register(withTitle(`Note${'x'.repeat((left % 5) + 1)}`), { type: 'more_words' })
    await expect(initiateNote(most, 'more_words')).rejects.toMatchObject({
      fields: { actionPayload: 'must make at most 16384 bytes of words in all languages' },
    })
  })

  it('is refused with the same error for an unknown type and for an inactive type', async () => {
    const user = await signInNewDeviceUser(test)
    const unknown = { fields: { actionType: expect.stringMatching(/^must be one of payment_approval, /) } }
    await expect(initiate(user)).rejects.toMatchObject(unknown)
    const { key } = await register()
    await expect(initiate(user, {}, 'other_type')).rejects.toMatchObject(unknown)
    await test.countersign.actionTypes.deactivate({ key })
    const again = test.countersign.actionTypes.deactivate({ key })
    await expect(again).rejects.toStrictEqual(new NothingToChange('The version is not active'))
    await expect(initiate(user)).rejects.toMatchObject(unknown)
    await test.countersign.actionTypes.activate({ key })
    await expect(initiate(user)).resolves.toHaveProperty('challenge')
    await expect(test.countersign.actionTypes.activate({ key: 'none' })).rejects.toMatchObject({ code: 'action_type_not_found' })
  })

  it('is consumed for exactly its action, and for no other', async () => {
    await register()
    const user = await signInNewDeviceUser(test)
    const initiated = await initiate(user)
    await approve(test, user, initiated)
    const use = { confirmationId: initiated.id, userId: user.user.id, actionType: type, consumedBy: 'transfer 1' }
    const consume = (amount: number) =>
      test.countersign.confirmations.consume({ ...use, actionPayload: { ...wireTransferPayload, amount } })
    await expect(consume(1)).rejects.toMatchObject({ code: 'other_action' })
    await expect(consume(wireTransferPayload.amount)).resolves.toMatchObject({ receipt: expect.any(String) })
  })
})
