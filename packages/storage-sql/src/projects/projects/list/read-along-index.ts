import { setImmediate } from 'node:timers/promises'
import type { ProjectQuery } from '@countersign/core/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Readable, readRows } from '../../../shared/database.ts'
import type { DialectFeatures } from '../../../shared/dialect-features.ts'
import { type ProjectRow, projectColumn, selectedColumns } from '../project-rows.ts'
import type { Anchor } from './cache.ts'

export interface IndexedList {
  readonly database: Readable
  readonly features: Pick<DialectFeatures, 'projectsByIndex'>
  readonly index: string
  readonly column: ProjectQuery['sort']
  readonly condition: RawBuilder<SqlBool>
  readonly total: number
  /** The share of the index's rows that are on the list. */
  readonly density: number
  /** The known rows, in ascending order of their positions. Reading adds further ones. */
  readonly anchors: Anchor[]
}

/** The number of rows of the index between two anchors. No page skips more rows than this. */
const STRIDE = 2000
const SHORTEST_STRIDE = 20
/** If the next anchor is this many rows of the index away from a page, the page gets an anchor of its own. */
const FAR = 250

const strideOf = ({ density }: IndexedList): number => Math.max(SHORTEST_STRIDE, Math.floor(STRIDE * density))

interface Scan {
  readonly direction: 'up' | 'down'
  /** The row to begin at. Without it, the scan begins at the lower or upper end of the list. */
  readonly from: Anchor | undefined
  /** The number of rows to skip, the first row included. */
  readonly skip: number
  readonly take: number
}

const scan = <R>(
  { database, features, index, column, condition }: IndexedList,
  { direction, from, skip, take }: Scan,
  columns: RawBuilder<unknown>,
): Promise<readonly R[]> => {
  const key = projectColumn(column)
  const id = projectColumn('id')
  const compare = direction === 'up' ? sql`>=` : sql`<=`
  const order = direction === 'up' ? sql`asc` : sql`desc`
  const beginning = from === undefined ? sql`` : sql`and (${key}, ${id}) ${compare} (${from.key}, ${from.id})`
  const query = sql<R>`
    select ${columns} from ${features.projectsByIndex(index)}
    where ${condition} ${beginning}
    order by ${key} ${order}, ${id} ${order}
    limit ${take} offset ${skip}`
  return readRows(database, query)
}

const nearestAnchors = (anchors: readonly Anchor[], position: number) => {
  const next = anchors.findIndex((anchor) => anchor.position > position)
  if (next === -1) return { below: anchors.at(-1), above: undefined }
  return { below: anchors[next - 1], above: anchors[next] }
}

/** Inserts an anchor, unless another caller inserted the same one meanwhile. */
const insertAnchor = (anchors: Anchor[], anchor: Anchor): void => {
  const next = anchors.findIndex(({ position }) => position >= anchor.position)
  if (next === -1) anchors.push(anchor)
  else if (anchors[next]?.position !== anchor.position) anchors.splice(next, 0, anchor)
}

/** Adds anchors, where later pages begin, up to a stride from the position. Returns `false` if the list turns out shorter. */
const approach = async (list: IndexedList, position: number): Promise<boolean> => {
  const anchorColumns = sql`${projectColumn(list.column)} as key, ${projectColumn('id')} as id`
  const stride = strideOf(list)
  for (;;) {
    const { below, above } = nearestAnchors(list.anchors, position)
    const fromBelow = position - (below?.position ?? 0)
    const fromAbove = (above?.position ?? list.total) - position
    if (Math.min(fromBelow, fromAbove) <= stride) return true
    const next: Scan & { readonly position: number } =
      fromBelow <= fromAbove
        ? { direction: 'up', from: below, skip: stride, take: 1, position: (below?.position ?? 0) + stride }
        : {
            direction: 'down',
            from: above,
            skip: above ? stride : stride - 1,
            take: 1,
            position: (above?.position ?? list.total) - stride,
          }
    const [row] = await scan<{ key: string | number; id: string }>(list, next, anchorColumns)
    if (row === undefined) return false
    insertAnchor(list.anchors, { position: next.position, ...row })
    // Other callers run between two strides.
    await setImmediate()
  }
}

/** Reads the rows from position `start` up to `end`, in ascending order. Returns fewer if the list was changed meanwhile. */
export const readAlongIndex = async (list: IndexedList, start: number, end: number): Promise<readonly ProjectRow[]> => {
  if (!(await approach(list, start))) return []
  const { below } = nearestAnchors(list.anchors, start)
  const { above } = nearestAnchors(list.anchors, end - 1)
  const fromBelow = start - (below?.position ?? 0)
  const fromAbove = (above?.position ?? list.total) - end
  const rows = await (fromBelow <= fromAbove
    ? readUp(list, below, fromBelow, end - start)
    : readDown(list, above, fromAbove, end - start))
  const [first] = rows
  if (first !== undefined && rows.length === end - start && Math.min(fromBelow, fromAbove) > FAR * list.density) {
    insertAnchor(list.anchors, { position: start, key: first[list.column], id: first.id })
  }
  return rows
}

const readUp = (list: IndexedList, from: Anchor | undefined, skip: number, take: number): Promise<readonly ProjectRow[]> =>
  scan<ProjectRow>(list, { direction: 'up', from, skip, take }, selectedColumns)

const readDown = async (
  list: IndexedList,
  from: Anchor | undefined,
  skip: number,
  take: number,
): Promise<readonly ProjectRow[]> => {
  const anchorRow = from === undefined ? 0 : 1
  return (await scan<ProjectRow>(list, { direction: 'down', from, skip: skip + anchorRow, take }, selectedColumns)).toReversed()
}
