import { type RawBuilder, sql } from 'kysely'

// Whether a line of the ledger `c` was undone. What was created goes with the ad group or campaign that it is in: their
// undo undoes it too, without a line of its own, because nothing of it is changed.

/** The ad group that the entity of a line is in; null of others, and of negatives of a whole campaign. */
export const adGroupOf = (line: string): RawBuilder<unknown> => {
  const of = (table: string) => sql`(select x.ad_group_id from ${sql.table(table)} x
    where x.merchant_id = ${sql.ref(`${line}.merchant_id`)} and x.id = ${sql.ref(`${line}.entity_id`)})`
  return sql`case ${sql.ref(`${line}.entity`)} when 'ad' then ${of('product_ad')} when 'target' then ${of('target')}
    when 'negative' then ${of('negative')} end`
}

// Scalar subqueries, never `exists`: that may be hashed again for each line, while these look up an index however wrong the
// planner's estimates are.

const rejectionOf = (undo: 'u' | 'r') => sql`(select m.id from entity_change m
  where m.merchant_id = ${sql.ref(`${undo}.merchant_id`)} and m.undoes = ${sql.ref(`${undo}.id`)} and m.origin = 'MARKETPLACE')`

/** That an undo `u`, which the marketplace rejected, was accepted when it was tried again in its group. */
const isRetried = sql`((select min(r.id) from entity_change r where r.merchant_id = u.merchant_id and r.group_id = u.group_id
  and r.entity = u.entity and r.entity_id = u.entity_id and r.field = u.field and r.id > u.id and ${rejectionOf('r')} is null) is not null)`
const isRejectedUndo = sql`(${rejectionOf('u')} is not null and not ${isRetried})`

type Column = 'id' | 'origin'

const undoOf = (line: 'c' | 'p', column: Column) => sql`(select ${sql.ref(`u.${column}`)} from entity_change u
  where u.merchant_id = ${sql.ref(`${line}.merchant_id`)} and u.undoes = ${sql.ref(`${line}.id`)} and not ${isRejectedUndo})`

const undoOfCreated = (entity: 'campaign' | 'adGroup', id: RawBuilder<unknown>, column: Column) => sql`(
  select min(o.undo) from (select ${undoOf('p', column)} as undo from entity_change p where p.merchant_id = c.merchant_id
    and p.entity = ${entity} and p.entity_id = ${id} and p.field is null) o)`

// The same of the line that created the campaign or ad group in which a line `c` created something.
const undoOfParent = (column: Column) => sql`(case when c.field is null and c.entity <> 'campaign' then coalesce(
  ${undoOfCreated('campaign', sql`c.campaign_id`, column)}, ${undoOfCreated('adGroup', adGroupOf('c'), column)}) end)`

/** A column of the line that undid a line `c`; null when none did, or when the marketplace rejected the undo. */
export const undoneBy = (column: Column): RawBuilder<unknown> =>
  sql`coalesce(${undoOf('c', column)}, ${undoOfParent(column)})`

/** That the marketplace rejected the undo of a line `c`. */
export const hasRejectedUndo = sql`coalesce((select ${isRejectedUndo} from entity_change u
  where u.merchant_id = c.merchant_id and u.undoes = c.id), false)`

// For many lines at once: joins instead of a look-up for each.

/** The undo `u` of a line `c`, and its rejection `m`. */
export const joinUndo = sql`left join entity_change u on u.merchant_id = c.merchant_id and u.undoes = c.id
  left join entity_change m on m.merchant_id = c.merchant_id and m.undoes = u.id and m.origin = 'MARKETPLACE'`
/** That a line `c` with `joinUndo` was undone. */
export const isUndone = sql`(case when u.id is null then ${undoOfParent('id')} is not null else m.id is null or ${isRetried} end)`
