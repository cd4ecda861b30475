import { sql } from 'kysely'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import type { Negative } from '#features/structure/contract.ts'
import { matching, selectList, sortKey } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { campaignListEndpoints } from '../../contract.ts'
import { contains, filtersOf, stateIs } from '../sql/read-page.ts'

type Query = EndpointParsed<(typeof campaignListEndpoints)['negatives']>['query']

/** A page of the current account's negatives. */
export async function listNegatives(ctx: Ctx, { campaignId, adGroupId, level, state, name, ...order }: Query) {
  const { page, size, sortBy, sortDir } = order
  const filters = filtersOf(
    campaignId !== undefined && sql`t.campaign_id = ${campaignId}`,
    adGroupId !== undefined && sql`t.ad_group_id = ${adGroupId}`,
    level !== undefined && (level === 'CAMPAIGN' ? sql`t.ad_group_id is null` : sql`t.ad_group_id is not null`),
    stateIs(state),
    contains('text', name),
  )
  return readAccount(ctx, async (tx, profile) => {
    const where = matching(profile, filters)
    const { rows } = await sql<Negative>`select ${selectList('negative')} from negative t where ${where}
      order by ${sortKey('negative', sortBy)} ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, t.id
      limit ${size} offset ${page * size}`.execute(tx)
    const counted = await sql<{ total: number }>`select count(*) as total from negative t where ${where}`.execute(tx)
    return { content: rows, page: pageInfo(page, size, counted.rows[0]?.total ?? 0) }
  })
}
