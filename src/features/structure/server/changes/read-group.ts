import { sql } from 'kysely'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { pickFields } from '#shared/fields.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import { accountNames } from '#features/auth/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { type changeEndpoints, groupItem, type GroupItem } from '../../changes-contract.ts'
import type { Owner } from '../sql/entity-sql.ts'
import { isNewRow } from '../sql/pending-rows.ts'
import { nameOf } from './list-changes.ts'
import { isUndone, joinUndo } from './undone.ts'

type Group = EndpointOutput<typeof changeEndpoints.group>

const itemNames = Object.keys(groupItem.entries)

const rowOf = (merchantId: number, table: string) =>
  sql`(select jsonb_build_array(t.sync_state, t.sync_error, t.version, ${isNewRow}) from ${sql.table(table)} t
    where t.merchant_id = ${merchantId} and t.id = c.entity_id)`
/** Of the entity of a line `c`: how far its last change has come, why it was rejected, its version, whether it has no id yet. */
function syncOf(merchantId: number) {
  const of = (table: string) => rowOf(merchantId, table)
  return sql`case c.entity when 'campaign' then ${of('campaign')} when 'adGroup' then ${of('ad_group')}
    when 'ad' then ${of('product_ad')} when 'target' then ${of('target')} else ${of('negative')} end`
}

/** The last line of each field that an act changed, in `judged`, with how far the marketplace has come with it. */
export const judgedLines = ({ merchantId, profileId }: Owner, groupId: string) => sql`line as (
    select distinct on (c.entity, c.entity_id, c.field) c.* from entity_change c
    where c.merchant_id = ${merchantId} and c.profile_id = ${profileId} and c.group_id = ${groupId}::uuid
    order by c.entity, c.entity_id, c.field, c.id desc
  ), item as materialized (
    select c.*, u.note as rejection, ${isUndone(merchantId)} as is_undone, u.origin = 'MARKETPLACE' as is_rejected, ${syncOf(merchantId)} as sync
    from line c ${joinUndo(merchantId)}
  ), judged as (
    select i.*, case when is_rejected or field is null and not is_undone and sync->>0 = 'FAILED' and (sync->>3)::boolean then 'REJECTED'
      when not is_undone and sync->>0 = 'PENDING' then 'PENDING' else 'ACCEPTED' end as status
    from item i
  )`

/**
 * How far the marketplace has come with the changes of one act. A row that was tried again in the group counts with its
 * last try. A rejection is a line of the ledger that undoes the rejected change and says why. Throws NOT_FOUND when the
 * current account has no such group.
 */
export function readGroup(ctx: Ctx, groupId: string, { page, size }: { page: number; size: number }): Promise<Group> {
  return readAccount(ctx, async (tx, { merchantId, profileId, currency }) => {
    const { rows } = await sql<GroupItem & Omit<Group, 'at' | 'by' | 'items'> & { at: Date; accountId: number | null }>`
      with ${judgedLines({ merchantId, profileId }, groupId)}, counted as (
        select count(*)::int as total, count(*) filter (where status = 'PENDING')::int as pending,
          count(*) filter (where status = 'ACCEPTED')::int as accepted, count(*) filter (where status = 'REJECTED')::int as rejected,
          count(*) filter (where is_undone and status <> 'REJECTED')::int as undone, min(at) as began,
          min(origin) as origin, min(account_id) as account_id
        from judged
      ), shown as (
        select * from judged j order by j.status = 'REJECTED' desc, j.status = 'PENDING' desc, j.id limit ${size} offset ${page * size}
      )
      select c.id as "changeId", c.entity, c.entity_id as "entityId", coalesce((c.sync->>2)::int, 0) as version,
        coalesce(${nameOf(merchantId)}, c.after ->> 'text', '') as name, c.field, c.before, c.after, c.status,
        case when c.status = 'REJECTED' then coalesce(c.rejection, c.sync->>1) end as message,
        c.is_undone and c.status <> 'REJECTED' as "isUndone",
        n.began as at, n.origin, n.account_id as "accountId", n.total, n.pending, n.accepted, n.rejected, n.undone
      from counted n left join shown c on true left join campaign m on m.merchant_id = ${merchantId} and m.id = c.campaign_id
      order by c.status = 'REJECTED' desc, c.status = 'PENDING' desc, c.id`.execute(tx)
    const [first] = rows
    if (!first?.total) throw new AppError('NOT_FOUND', 'There is no such group of changes.')
    const { at, origin, accountId, total, pending, accepted, rejected, undone } = first
    const names = accountId === null ? undefined : await accountNames(tx, [accountId])
    const by = accountId === null ? null : (names?.get(accountId) ?? null)
    const counts = { total, pending, accepted, rejected, undone }
    // A page beyond the last has none.
    const items = rows
      .filter(row => row.changeId !== null)
      .map(row => pickFields(row, itemNames) as unknown as GroupItem)
    return { groupId, at: at.toISOString(), origin, by, currency, ...counts, items }
  })
}
