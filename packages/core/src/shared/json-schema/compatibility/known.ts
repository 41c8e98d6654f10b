import type { Schema, SchemaObject } from '../schema.ts'
import type { Document, Located } from './document.ts'

/** Kinds of JSON values that no two share; an integer is a number without fraction, however it is written. */
export const kinds = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'] as const
export type Kind = (typeof kinds)[number]

/** Of these, not all of which are known to accept the value, at least one does. */
export interface Choice {
  readonly of: object
  readonly options: readonly Case[]
}

/** What is known of a value in one case. */
export interface Case {
  readonly accepting: readonly Located[]
  readonly refusing: readonly Located[]
}

/** What is known of a value: of which kinds it may be, and which schemas accept it and which do not. */
export interface Known {
  readonly kinds: ReadonlySet<Kind>
  readonly accepting: readonly (Located | Choice)[]
  readonly refusing: readonly Located[]
  /** The choices that were made already. */
  readonly made: ReadonlySet<object>
}

export const nothingKnown: Known = { kinds: new Set(kinds), accepting: [], refusing: [], made: new Set() }

export const isChoice = (fact: Located | Choice): fact is Choice => 'options' in fact

export const alsoAccepting = (known: Known, accepting: readonly (Located | Choice)[]): Known => ({
  ...known,
  accepting: [...known.accepting, ...accepting],
})

export const alsoRefusing = (known: Known, refusing: readonly Located[]): Known => ({
  ...known,
  refusing: [...known.refusing, ...refusing],
})

export const ofKind = (known: Known, kind: Kind): Known => ({ ...known, kinds: new Set([kind]) })

export const having = (known: Known, made: object): Known => ({ ...known, made: new Set([...known.made, made]) })

export const inCase = (known: Known, choice: Choice, { accepting, refusing }: Case): Known =>
  having(alsoRefusing(alsoAccepting(known, accepting), refusing), choice.of)

/** A schema object that accepts the value, with the document it is of. */
export interface Fact {
  readonly document: Document
  readonly schema: SchemaObject
}

/** What is known, spread out: references followed, `allOf` taken apart. */
export interface Facts {
  readonly schemas: readonly Fact[]
  readonly choices: readonly Choice[]
  readonly refusing: readonly Located[]
  /** Whether `false` is among the accepting: no value is like this. */
  readonly isNever: boolean
}

const located = (document: Document, schema: unknown): Located => ({ document, schema: schema as Schema })

const choicesOf = ({ document, schema }: Fact): readonly Choice[] => {
  const choices: Choice[] = []
  const here = (inner: unknown): Located => located(document, inner)
  if (Array.isArray(schema.anyOf)) {
    choices.push({ of: schema.anyOf, options: schema.anyOf.map((option) => ({ accepting: [here(option)], refusing: [] })) })
  }
  if (Array.isArray(schema.oneOf)) {
    const { oneOf } = schema
    const options = oneOf.map((option) => ({
      accepting: [here(option)],
      refusing: oneOf.filter((other) => other !== option).map(here),
    }))
    choices.push({ of: oneOf, options })
  }
  if (schema.if !== undefined) {
    const holds = { accepting: [here(schema.if), here(schema.then ?? true)], refusing: [] }
    const fails = { accepting: [here(schema.else ?? true)], refusing: [here(schema.if)] }
    // `if` may be `true` or `false`, which are no objects to tell choices by.
    choices.push({ of: schema, options: [holds, fails] })
  }
  return choices
}

/** What an object's having certain members brings by `dependencies`. Of what is no object, `required` says nothing. */
const dependencyFacts = (known: Known, facts: readonly Fact[]): readonly Located[] => {
  const isObject = (known.kinds.size === 1 && known.kinds.has('object')) || facts.some(({ schema }) => schema.type === 'object')
  if (!isObject) return []
  const required = new Set(
    facts.flatMap(({ schema }): readonly unknown[] => (Array.isArray(schema.required) ? schema.required : [])),
  )
  return facts.flatMap(({ document, schema }) =>
    Object.entries(schema.dependencies ?? {})
      .filter(([name]) => required.has(name))
      .map(([, dependency]) => located(document, Array.isArray(dependency) ? { required: dependency } : dependency)),
  )
}

/** What is known never changes, and is asked for again at every keyword. */
const spreadBefore = new WeakMap<Known, Facts>()

/** Spreads out what is known, as far as it goes without making a choice. */
export const spread = (known: Known): Facts => {
  const facts = spreadBefore.get(known) ?? spreadOut(known)
  spreadBefore.set(known, facts)
  return facts
}

const spreadOut = (known: Known): Facts => {
  const schemas: Fact[] = []
  const seen = new Set<Schema>()
  const choices: Choice[] = []
  let isNever = false
  const add = (fact: Located | Choice): void => {
    if (isChoice(fact)) {
      choices.push(fact)
      return
    }
    const schema = fact.document.resolve(fact.schema)
    if (seen.has(schema)) return
    seen.add(schema)
    if (typeof schema === 'boolean') {
      isNever ||= !schema
      return
    }
    schemas.push({ document: fact.document, schema })
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf) add(located(fact.document, part))
  }
  for (const fact of known.accepting) add(fact)
  for (const fact of dependencyFacts(known, schemas)) add(fact)
  choices.push(...schemas.flatMap(choicesOf))
  const excluded = schemas.flatMap(({ document, schema }) => (schema.not === undefined ? [] : [located(document, schema.not)]))
  const refusing = [...known.refusing, ...excluded]
  return {
    schemas,
    choices: choices.filter(({ of }) => !known.made.has(of)),
    refusing,
    isNever: isNever || refusing.some(({ document, schema }) => document.resolve(schema) === true),
  }
}
