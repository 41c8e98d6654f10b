import { type SealedTexts, sealedColumns } from '@countersign/core/storage'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Reads and replaces encrypted fields. `sealedColumns` lists the tables and columns. */
export const sealedTexts = (database: Database): SealedTexts => ({
  rowsAfter: ({ table, after, limit, except }) =>
    database.read(async (db) => {
      const texts = sealedColumns[table].map(
        (column) =>
          sql`case when substr(${sql.ref(column)}, 1, ${sql.lit(except.length)}) = ${except} then null else ${sql.ref(column)} end`,
      )
      const from = after === undefined ? sql`` : sql`where id > ${after}`
      const selected = sql.join([sql.ref('id'), ...texts.map((text, at) => sql`${text} as ${sql.ref(`text_${at}`)}`)])
      const { rows } = await sql<Readonly<Record<string, string | null>>>`
        select ${selected} from ${sql.table(table)} ${from} order by id limit ${sql.lit(limit)}`.execute(db)
      return rows.map((row) => ({
        id: row.id ?? '',
        texts: sealedColumns[table].map((_, at) => row[`text_${at}`] ?? null),
      }))
    }),

  replace: async (table, id, texts) => {
    const rows = await database.writeBatched({
      key: id,
      statement: (db) => {
        const changes = sql.join(texts.map(({ column, to }) => sql`${sql.ref(column)} = ${to}`))
        const unchanged = sql.join(
          texts.map(({ column, from }) => sql`${sql.ref(column)} = ${from}`),
          sql` and `,
        )
        return sql`update ${sql.table(table)} set ${changes} where id = ${id} and ${unchanged}`.compile(db)
      },
    })
    return rows > 0
  },
})
