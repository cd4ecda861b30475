import { type RawBuilder, sql } from 'kysely'

// Each look-up names the merchant itself, because that selects the partition.

// Whether a line of the ledger `c` was undone. What was created goes with the ad group or campaign that it is in: their
// undo undoes it too, without a line of its own, because nothing of it is changed.

/** The ad group that the entity of a line is in; null of others, and of negatives of a whole campaign. */
export const adGroupOf = (line: string, merchantId: number): RawBuilder<unknown> => {
  const of = (table: string) => sql`(select x.ad_group_id from ${sql.table(table)} x
    where x.merchant_id = ${merchantId} and x.id = ${sql.ref(`${line}.entity_id`)})`
  return sql`case ${sql.ref(`${line}.entity`)} when 'ad' then ${of('product_ad')} when 'target' then ${of('target')}
    when 'negative' then ${of('negative')} end`
}

// Scalar subqueries, never `exists`: that may be hashed again for each line, while these look up an index however wrong the
// planner's estimates are.

const rejectionOf = (undo: 'u' | 'r', merchantId: number) => sql`(select m.id from entity_change m
  where m.merchant_id = ${merchantId} and m.undoes = ${sql.ref(`${undo}.id`)} and m.origin = 'MARKETPLACE')`

/** That an undo `u`, which the marketplace rejected, was accepted when it was tried again in its group. */
const isRetried = (
  merchantId: number,
) => sql`((select min(r.id) from entity_change r where r.merchant_id = ${merchantId} and r.group_id = u.group_id
  and r.entity = u.entity and r.entity_id = u.entity_id and r.field = u.field and r.id > u.id and ${rejectionOf('r', merchantId)} is null) is not null)`
const isRejectedUndo = (merchantId: number) =>
  sql`(${rejectionOf('u', merchantId)} is not null and not ${isRetried(merchantId)})`

type Column = 'id' | 'origin'

const undoOf = (
  line: 'c' | 'p',
  column: Column,
  merchantId: number,
) => sql`(select ${sql.ref(`u.${column}`)} from entity_change u
  where u.merchant_id = ${merchantId} and u.undoes = ${sql.ref(`${line}.id`)} and not ${isRejectedUndo(merchantId)})`

const undoOfCreated = (
  entity: 'campaign' | 'adGroup',
  id: RawBuilder<unknown>,
  column: Column,
  merchantId: number,
) => sql`(
  select min(o.undo) from (select ${undoOf('p', column, merchantId)} as undo from entity_change p where p.merchant_id = ${merchantId}
    and p.entity = ${entity} and p.entity_id = ${id} and p.field is null) o)`

// The same of the line that created the campaign or ad group in which a line `c` created something.
const undoOfParent = (
  column: Column,
  merchantId: number,
) => sql`(case when c.field is null and c.entity <> 'campaign' then coalesce(
  ${undoOfCreated('campaign', sql`c.campaign_id`, column, merchantId)}, ${undoOfCreated('adGroup', adGroupOf('c', merchantId), column, merchantId)}) end)`

/** A column of the line that undid a line `c`; null when none did, or when the marketplace rejected the undo. */
export const undoneBy = (column: Column, merchantId: number): RawBuilder<unknown> =>
  sql`coalesce(${undoOf('c', column, merchantId)}, ${undoOfParent(column, merchantId)})`

/** That the marketplace rejected the undo of a line `c`. */
export const hasRejectedUndo = (
  merchantId: number,
) => sql`coalesce((select ${isRejectedUndo(merchantId)} from entity_change u
  where u.merchant_id = ${merchantId} and u.undoes = c.id), false)`

// For many lines at once: joins instead of a look-up for each.

/** The undo `u` of a line `c`, and its rejection `m`. */
export const joinUndo = (
  merchantId: number,
) => sql`left join entity_change u on u.merchant_id = ${merchantId} and u.undoes = c.id
  left join entity_change m on m.merchant_id = ${merchantId} and m.undoes = u.id and m.origin = 'MARKETPLACE'`
/** That a line `c` with `joinUndo` was undone. */
export const isUndone = (merchantId: number) =>
  sql`(case when u.id is null then ${undoOfParent('id', merchantId)} is not null else m.id is null or ${isRetried(merchantId)} end)`
