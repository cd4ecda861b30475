import { type RawBuilder, sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { addDays } from '#shared/time.ts'
import { type Block, blockLengths, blocksOf, blockStart, startOfBlock } from './day-blocks.ts'
import { columnNames, columnSums, metricColumns } from './metric-columns.ts'

interface Days {
  from: string
  to: string
}

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
const listed = (each: (column: string) => string) => sql.raw(metricColumns.map(({ column }) => each(column)).join(', '))
// Sums that were subtracted from may be those of other days alone.
const isAny = sql.raw(metricColumns.map(({ column }) => `sum(sign * ${column}) <> 0`).join(' or '))

/**
 * A subquery to join with (alias it): one row for each search term of each ad group, with `ad_group_id`, `campaign_id`,
 * `search_term` and the sum of every metric column over the days, both included. `filter` is on the ad group, the campaign
 * and the term of rows `d`.
 */
export function searchTermsBy(owner: Owner, days: Days, filter: RawBuilder<unknown>): RawBuilder<unknown> {
  const blocks = blocksOf(days)
  const rowsOf = (some: readonly Block[], table: string, isOfBlock: RawBuilder<unknown>) =>
    // Block by block: the planner would rather read all that there are.
    sql`select d.ad_group_id, d.campaign_id, d.search_term, b.sign, ${listed(column => `d.${column}`)}
      from unnest(${some.map(block => block.start)}::date[], ${some.map(block => block.days)}::int[],
        ${some.map(block => block.sign)}::float8[]) as b(start, days, sign)
      cross join lateral (select * from ${sql.table(table)} d where ${ownedBy(owner)} and ${isOfBlock} and ${filter} offset 0) d`
  const singles = blocks.filter(block => block.days === 1)
  const longer = blocks.filter(block => block.days > 1)
  return sql`(select ad_group_id, min(campaign_id) as campaign_id, search_term, ${listed(column => `sum(sign * ${column}) as ${column}`)}
    from (${rowsOf(longer, 'search_term_sum', sql`d.days = b.days and d.start = b.start`)}
      union all ${rowsOf(singles, 'search_term_day', sql`d.date = b.start`)}) r
    group by ad_group_id, search_term having ${isAny})`
}

const ofTerm = ({ merchantId }: Owner, row: string, { from, to }: Days) => {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql`search_term_day d where d.merchant_id = ${merchantId} and d.ad_group_id = ${of('ad_group_id')}
    and d.search_term = ${of('search_term')} and d.date between ${from} and ${to}`
}

/** The ids of the targets that met the search term of a row `row` (see `searchTermsBy`) on these days, as an array. */
export const targetsOfTerm = (owner: Owner, row: string, days: Days): RawBuilder<unknown> =>
  sql`array(select distinct d.target_id from ${ofTerm(owner, row, days)})`

/** The clicks of the search term of a row `row` on these days, which no longer change. */
export const settledClicksOfTerm = (owner: Owner, row: string, days: Days): RawBuilder<unknown> =>
  sql`(select coalesce(sum(d.clicks), 0)::float8 from ${ofTerm(owner, row, days)})`

/**
 * Sums the search terms of an account for the blocks that the days touch, in the transaction that replaced these days. With
 * `changed`, a relation of the rows of `search_term_day` that changed, only their terms are summed again.
 */
export async function sumUpTerms(
  tx: Db,
  owner: Owner,
  { from, to }: Days,
  changed?: RawBuilder<unknown>,
): Promise<void> {
  for (const [i, days] of blockLengths.toReversed().entries()) {
    if (days === 1) continue
    const [first, last] = [startOfBlock(from, days), startOfBlock(to, days)]
    const isChanged = (start: RawBuilder<unknown>) =>
      changed
        ? sql`(${start}, ad_group_id, search_term) in (select ${blockStart(sql`date`, days)}, ad_group_id, search_term from ${changed} c)`
        : sql`true`
    await sql`delete from search_term_sum where ${ownedBy(owner)} and days = ${days} and start between ${first} and ${last}
      and ${isChanged(sql`start`)}`.execute(tx)
    // Each block is summed from those of the next shorter length.
    const shorter = blockLengths.toReversed()[i - 1] ?? 1
    const ofShorter = (date: RawBuilder<unknown>) =>
      sql`${ownedBy(owner)} and ${date} between ${first} and ${addDays(last, days - 1)} and ${isChanged(blockStart(date, days))}`
    const source =
      shorter === 1
        ? sql`select ${blockStart(sql`date`, days)} as start, ad_group_id, search_term, campaign_id, ${columnNames}
            from search_term_day where ${ofShorter(sql`date`)}`
        : sql`select ${blockStart(sql`start`, days)}, ad_group_id, search_term, campaign_id, ${columnNames}
            from search_term_sum where days = ${shorter} and ${ofShorter(sql`start`)}`
    await sql`insert into search_term_sum (merchant_id, profile_id, days, start, ad_group_id, search_term, campaign_id, ${columnNames})
      select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, ${days}::smallint, start, ad_group_id, search_term, min(campaign_id), ${columnSums}
      from (${source}) r(start, ad_group_id, search_term, campaign_id, ${columnNames})
      group by start, ad_group_id, search_term order by start, ad_group_id, search_term`.execute(tx)
  }
}
