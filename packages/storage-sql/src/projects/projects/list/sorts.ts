import type { ProjectQuery } from '@countersign/core/storage'

type ProjectSortKey = ProjectQuery['sort']

/** What a sort key reads, and the index that holds the projects in its order. */
export interface Sort {
  readonly column: ProjectSortKey
  readonly index: string
}

const indexOf = (column: ProjectSortKey): string => `projects_by_${column}`

const FILTER_MEMBERS = { customer_id: 'customerId', status: 'status', progress: 'progress' } as const

/** A filter whose index is in the order of the default sort. */
export type FilterColumn = keyof typeof FILTER_MEMBERS

const FILTER_COLUMNS = Object.keys(FILTER_MEMBERS) as FilterColumn[]

type Filters = ProjectQuery['filters']

/** Each filter that is given, with the filters that it would be alone. */
export const givenFilters = (filters: Filters): readonly { readonly column: FilterColumn; readonly alone: Filters }[] =>
  FILTER_COLUMNS.flatMap((column) => {
    const member = FILTER_MEMBERS[column]
    return filters[member] === undefined ? [] : [{ column, alone: { [member]: filters[member] } }]
  })

export const filterIndexOf = (column: FilterColumn): string => `projects_of_${column}`

export const DEFAULT_SORT = 'created_at'

/** The index that holds every project in the order of a sort key, ties by id. */
export const sortOf = (key: ProjectSortKey): Sort => ({ column: key, index: indexOf(key) })
