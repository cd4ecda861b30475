import { type RawBuilder, sql } from 'kysely'
import { figuresBy } from '#features/metrics/server/public.ts'
import type { RowColumn } from '../../list-queries.ts'

export interface Owner {
  merchantId: number
  profileId: number
}

/** One kind of rows: its table, aliased `t`, and by which key its figures are summed. */
export interface Listing<Columns = unknown> {
  table: 'campaign' | 'ad_group' | 'product_ad' | 'target'
  figures: 'campaign' | 'adGroup' | 'ad' | 'target'
  /** Which rows, on `t`, beside the owner. */
  filters: readonly RawBuilder<unknown>[]
  /** True when the filters leave few rows, so that only their figures are summed. */
  few: boolean
  /** What a row shows, on `t`. */
  columns: RawBuilder<Columns>
}

export interface PageOptions {
  from: string
  to: string
  page: number
  size: number
  sortBy: RowColumn
  sortDir: 'asc' | 'desc'
}

/** The condition that rows `t` belong to the owner and pass the filters. */
export const matching = (owner: Owner, filters: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join([sql`t.merchant_id = ${owner.merchantId} and t.profile_id = ${owner.profileId}`, ...filters], sql` and `)

/** Rows `t` that match, left-joined with their figures `f` over the days. */
export const withFigures = (
  owner: Owner,
  { table, figures, filters, few }: Omit<Listing, 'columns'>,
  from: string,
  to: string,
): RawBuilder<unknown> => {
  const sums = figuresBy(figures, owner, from, to)
  // As a plain array the keys reach the facts' index; as a join they would be met only after everything was summed.
  const narrowed = few
    ? sql`(select * from ${sums} x where x.key = any(array(select t.id from ${sql.table(table)} t where ${matching(owner, filters)})))`
    : sums
  return sql`${sql.table(table)} t left join ${narrowed} f on f.key = t.id where ${matching(owner, filters)}`
}

/** Filters that are asked for; an absent one takes no part. */
export const filtersOf = (...filters: (RawBuilder<unknown> | false | undefined)[]): RawBuilder<unknown>[] =>
  filters.filter(filter => filter !== false && filter !== undefined)

/** State filter on `t`; ALL takes no part. */
export const stateIs = (state: string): RawBuilder<unknown> | false => state !== 'ALL' && sql`t.state = ${state}`

/** Text search on a column of `t`, whatever the letters' case; an empty text takes no part. */
export const contains = (column: 'name' | 'text', text: string | undefined): RawBuilder<unknown> | false =>
  Boolean(text) && sql`strpos(lower(${sql.ref(`t.${column}`)}), lower(${text})) > 0`
