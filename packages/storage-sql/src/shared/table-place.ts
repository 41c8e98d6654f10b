import {
  type CreateIndexNode,
  IdentifierNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type QueryId,
  type SchemableIdentifierNode,
} from 'kysely'
import { tableNames } from '../tables/index.ts'

/** The place of the tables in a database that a host may share, and have a `users` table of its own: a schema, or a prefix. */
export type TablePlace = { readonly schema: string } | { readonly prefix: string }

/**
 * Returns a Kysely plugin that puts table names into their place: `users` becomes `"countersign"."users"` or
 * `"countersign_users"`. In raw SQL it finds the names that are written with `sql.table` and `sql.ref`.
 *
 * @param tables The names to change. Other names are aliases, or tables of the database itself. Without this set every name is
 *   changed, which is right for migrations: a migration must not depend on the tables of a later version.
 */
export const tablePlacePlugin = (place: TablePlace, tables?: ReadonlySet<string>): KyselyPlugin => {
  const transformer = new TablePlaceTransformer(place, tables)
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

/** Returns the plugin for queries. @param further Tables that only one adapter has. */
export const placedTables = (place: TablePlace, further: readonly string[] = []): KyselyPlugin =>
  tablePlacePlugin(place, new Set([...tableNames, ...further]))

class TablePlaceTransformer extends OperationNodeTransformer {
  readonly #place: TablePlace
  readonly #tables: ReadonlySet<string> | undefined

  constructor(place: TablePlace, tables: ReadonlySet<string> | undefined) {
    super()
    this.#place = place
    this.#tables = tables
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode, queryId?: QueryId): SchemableIdentifierNode {
    const { name } = node.identifier
    if (node.schema !== undefined || this.#tables?.has(name) === false) return super.transformSchemableIdentifier(node, queryId)
    return 'schema' in this.#place
      ? { ...node, schema: IdentifierNode.create(this.#place.schema) }
      : { ...node, identifier: IdentifierNode.create(this.#place.prefix + name) }
  }

  /** Adds the prefix to an index too, because an index of SQLite must not have the name of any other table or index. */
  protected override transformCreateIndex(node: CreateIndexNode, queryId?: QueryId): CreateIndexNode {
    const transformed = super.transformCreateIndex(node, queryId)
    if ('schema' in this.#place) return transformed
    return { ...transformed, name: IdentifierNode.create(this.#place.prefix + node.name.name) }
  }
}
