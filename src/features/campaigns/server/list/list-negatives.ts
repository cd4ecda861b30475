import { type RawBuilder, sql } from 'kysely'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import type { Negative } from '#features/structure/contract.ts'
import { matching, type Owner, selectList, sortKey } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { campaignListEndpoints, NegativeRow } from '../../contract.ts'
import { filtersOf, stateIs } from '../sql/listing.ts'

type PageQuery = EndpointParsed<(typeof campaignListEndpoints)['negatives']>['query']
export type NegativesQuery = Omit<PageQuery, 'page' | 'size'>

function matched(owner: Owner, query: NegativesQuery): RawBuilder<unknown> {
  const { campaignId, adGroupId, level, adType, kind, syncState, state, name } = query
  const filters = filtersOf(
    campaignId !== undefined && sql`t.campaign_id = ${campaignId}`,
    adGroupId !== undefined && sql`t.ad_group_id = ${adGroupId}`,
    level !== undefined && (level === 'CAMPAIGN' ? sql`t.ad_group_id is null` : sql`t.ad_group_id is not null`),
    adType !== undefined &&
      sql`t.campaign_id in (select c.id from campaign c where c.merchant_id = ${owner.merchantId} and c.ad_type = ${adType})`,
    kind !== undefined && sql`t.kind = ${kind}`,
    syncState !== undefined && sql`t.sync_state = ${syncState}`,
    state === 'NOT_ARCHIVED' ? sql`t.state <> 'ARCHIVED'` : stateIs(state),
    Boolean(name) && sql`strpos(lower(t.text), lower(${name})) > 0`,
  )
  return matching(owner, filters)
}

const ordered = (owner: Owner, { sortBy, sortDir }: NegativesQuery): RawBuilder<unknown> =>
  sql`order by ${sortKey('negative', sortBy, owner)} ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, t.id`

/** A page of the current account's negatives. */
export function listNegatives(ctx: Ctx, query: PageQuery) {
  const { page, size } = query
  return readAccount(ctx, async (tx, profile) => {
    const where = matched(profile, query)
    const { rows } =
      await sql<NegativeRow>`select ${selectList('negative', profile)}, c.name as "campaignName", c.ad_type as "adType",
        (select g.name from ad_group g where g.merchant_id = ${profile.merchantId} and g.id = t.ad_group_id) as "adGroupName"
      from negative t join campaign c on c.merchant_id = t.merchant_id and c.id = t.campaign_id where ${where}
      ${ordered(profile, query)} limit ${size} offset ${page * size}`.execute(tx)
    const counted = await sql<{ total: number }>`select count(*) as total from negative t where ${where}`.execute(tx)
    return { content: rows, page: pageInfo(page, size, counted.rows[0]?.total ?? 0) }
  })
}

/** The ids of all negatives that match, in the order of the pages. */
export async function readNegativeIds(tx: Db, owner: Owner, query: NegativesQuery): Promise<number[]> {
  const where = matched(owner, query)
  const { rows } = await sql<{
    id: number
  }>`select t.id from negative t where ${where} ${ordered(owner, query)}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Negatives of the account by id, in any order. */
export async function readNegatives(tx: Db, owner: Owner, ids: readonly number[]): Promise<Negative[]> {
  const where = matching(owner, [sql`t.id = any(${ids}::bigint[])`])
  const { rows } = await sql<Negative>`select ${selectList('negative', owner)} from negative t where ${where}`.execute(
    tx,
  )
  return rows
}
