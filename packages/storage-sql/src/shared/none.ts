import { type Expression, expressionBuilder, type SqlBool } from 'kysely'

const the = expressionBuilder()

/** The condition that a query finds no row. */
export const none = (query: Expression<unknown>): Expression<SqlBool> => the.not(the.exists(query))
