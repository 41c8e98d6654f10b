import type { ActionType } from '../vocabulary.ts'
import { type Display, type DisplayLine, type Displays, directionOf } from './definition.ts'
import { askedLabels, contextLabels, delegatedByLabel, detailsLabel, inLanguage } from './labels.ts'
import { furtherLines, isRowNumber, linesOf, type Payload, type PlacedLine } from './lines.ts'
import { around, type DisplayForm, isAbsent, labelOf, pairs, type Style, wholeText } from './values.ts'
import { builtInWords, type ProductDefinition } from './words.ts'

/** The facts about a request that a device shows in addition to the action. Absent members are not shown. */
export interface AskedWords {
  /** The name of the person or service that asks. */
  readonly requester: string
  readonly onBehalfOf: string | null
  readonly tenant: string | null
  readonly context: Readonly<Record<string, string>> | null
  /** The approvals that the action needs; absent for the confirmation of one person. */
  readonly count?: number
}

/** Returns whether the contract defines the action type. No operator can register such a type. */
export const isBuiltInType = (actionType: string): actionType is ActionType => Object.hasOwn(builtInWords, actionType)

const askedLines = ({ requester, onBehalfOf, tenant, context, count }: AskedWords, style: Style): readonly PlacedLine[] => {
  const values = { requester, onBehalfOf, tenant, count }
  const known = Object.entries(askedLabels).flatMap(([name, label]) => {
    const value = values[name as keyof typeof values]
    return isAbsent(value) ? [] : [{ label: inLanguage(label, style.language), value: wholeText(value, style) }]
  })
  const told = Object.entries(context ?? {}).map(([name, value]) => ({
    label: labelOf(name, contextLabels, style.language),
    value: wholeText(value, style),
    place: isRowNumber(value) ? ('details' as const) : undefined,
  }))
  return [...known, ...told]
}

/** Returns the details as one line, because only a technician reads them. */
const detailsLine = (details: readonly PlacedLine[], style: Style): readonly DisplayLine[] => {
  if (details.length === 0) return []
  const value = pairs(
    details.map((line) => [line.label, line.value]),
    style,
  )
  return [{ label: inLanguage(detailsLabel, style.language), value: around(value) }]
}

/** Returns the lines in the order of the screen: those that lead, the others, the details. If none leads, the first one does. */
const inOrder = (lines: readonly PlacedLine[], ofAction: number, style: Style): readonly DisplayLine[] => {
  const visible = lines.filter(({ place }) => place !== 'details')
  const marked = visible.filter(({ place }) => place === 'lead')
  const first = lines.slice(0, ofAction).find(({ place }) => place !== 'details')
  const leading = marked.length > 0 ? marked : first === undefined ? [] : [first]
  return [
    ...leading.map(({ label, value }) => ({ label, value, lead: true as const })),
    ...visible.filter((line) => !leading.includes(line)).map(({ label, value }) => ({ label, value })),
    ...detailsLine(
      lines.filter(({ place }) => place === 'details'),
      style,
    ),
  ]
}

const renderIn = ({ title, lines }: ProductDefinition, payload: Payload, asked: AskedWords, style: Style): Display => {
  const ofAction = [...lines.flatMap((line) => linesOf(line, payload, style)), ...furtherLines(lines, payload, style)]
  return {
    direction: directionOf(style.language),
    title: title[style.language] ?? '',
    lines: inOrder([...ofAction, ...askedLines(asked, style)], ofAction.length, style),
  }
}

/** Renders an action in every language of the definition: each member of the payload, who asks, and how many must agree. */
export const renderDisplay = (
  definition: ProductDefinition,
  payload: Payload,
  asked: AskedWords,
  form: DisplayForm = 'full',
): Displays =>
  Object.fromEntries(
    Object.keys(definition.title).map((language) => [
      language,
      renderIn(definition, payload, asked, { language, form, currency: payload.currency }),
    ]),
  )

/** Returns the words of a vote by a delegate: the words of the request, and the name of the person for whom the delegate votes. */
export const withDelegator = (displays: Displays, name: string): Displays =>
  Object.fromEntries(
    Object.entries(displays).map(([language, { lines, ...words }]) => {
      const style: Style = { language, form: 'full', currency: undefined }
      const line = { label: inLanguage(delegatedByLabel, language), value: wholeText(name, style) }
      return [language, { ...words, lines: [...lines, line] }]
    }),
  )
