import { type RawBuilder, sql } from 'kysely'
import { figuresBy } from '#features/metrics/server/public.ts'
import type { EditableEntity } from '#features/structure/contract.ts'
import { matching, type Owner, tableOf } from '#features/structure/server/public.ts'
import type { RowColumn } from '../../list-queries.ts'

/** One kind of rows, aliased `t`, and which of them. */
export interface Listing<E extends EditableEntity = EditableEntity> {
  entity: E
  /** Which rows, on `t`, of the owner's. */
  filters: readonly RawBuilder<unknown>[]
  /** True when the filters leave few rows, so that only their figures are summed. */
  few: boolean
}

export interface PageOptions {
  from: string
  to: string
  page: number
  size: number
  sortBy: RowColumn
  sortDir: 'asc' | 'desc'
}

/** Rows `t` that match, left-joined with their figures `f` over the days. */
export function withFigures(
  owner: Owner,
  { entity, filters, few }: Listing,
  from: string,
  to: string,
): RawBuilder<unknown> {
  const sums = figuresBy(entity, owner, from, to)
  // As a plain array the keys reach the facts' index; as a join they would be met only after everything was summed.
  const narrowed = few
    ? sql`(select * from ${sums} x where x.key = any(array(select t.id from ${tableOf(entity)} t where ${matching(owner, filters)})))`
    : sums
  return sql`${tableOf(entity)} t left join ${narrowed} f on f.key = t.id where ${matching(owner, filters)}`
}

/** The filters that apply: absent ones are left out. */
export const filtersOf = (...filters: (RawBuilder<unknown> | false | undefined)[]): RawBuilder<unknown>[] =>
  filters.filter(filter => filter !== false && filter !== undefined)

/** State filter on `t`; ALL takes no part. */
export const stateIs = (state: string): RawBuilder<unknown> | false => state !== 'ALL' && sql`t.state = ${state}`

/** Text search on a column of `t`, whatever the letters' case; an empty text takes no part. */
export const contains = (column: 'name' | 'text', text: string | undefined): RawBuilder<unknown> | false =>
  Boolean(text) && sql`strpos(lower(${sql.ref(`t.${column}`)}), lower(${text})) > 0`
