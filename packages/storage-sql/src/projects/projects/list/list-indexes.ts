import type { ProjectQuery } from '@countersign/core/storage'

type Filters = ProjectQuery['filters']

const FILTER_FIELDS = { customer_id: 'customerId', status: 'status', progress: 'progress' } as const

export type FilterColumn = keyof typeof FILTER_FIELDS

const FILTER_COLUMNS = Object.keys(FILTER_FIELDS) as FilterColumn[]

export const splitFilters = (filters: Filters): readonly { readonly column: FilterColumn; readonly filter: Filters }[] =>
  FILTER_COLUMNS.flatMap((column) => {
    const field = FILTER_FIELDS[column]
    return filters[field] === undefined ? [] : [{ column, filter: { [field]: filters[field] } }]
  })

export const DEFAULT_SORT = 'created_at'

/** Returns the index of all projects in the order of a sort key, then of the id. A migration creates the index. */
export const sortIndexOf = (key: ProjectQuery['sort']): string => `projects_by_${key}`

/** Returns the index of all projects by a filter, in the default order. A migration creates the index. */
export const filterIndexOf = (column: FilterColumn): string => `projects_of_${column}`
