import type { Insertable } from 'kysely'
import type { Tables } from '../shared/tables.ts'

/** Rows that migrations put into tables: what a database holds that nobody has used yet. */
export type Seeds = { readonly [Name in keyof Tables]?: readonly Insertable<Tables[Name]>[] }
