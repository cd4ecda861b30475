import { sql } from 'kysely'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { campaignListEndpoints } from '../../contract.ts'
import { presentNegative } from '../present.ts'
import { contains, filtersOf, stateIs } from '../sql/listing.ts'
import { readNegatives } from '../sql/read-rows.ts'

type Query = EndpointParsed<(typeof campaignListEndpoints)['negatives']>['query']

/** A page of the current account's negatives. */
export const listNegatives = async (ctx: Ctx, query: Query) => {
  const filters = filtersOf(
    query.campaignId !== undefined && sql`t.campaign_id = ${query.campaignId}`,
    query.adGroupId !== undefined && sql`t.ad_group_id = ${query.adGroupId}`,
    query.level !== undefined &&
      (query.level === 'CAMPAIGN' ? sql`t.ad_group_id is null` : sql`t.ad_group_id is not null`),
    stateIs(query.state),
    contains('text', query.name),
  )
  const { rows, total } = await readAccount(ctx, (tx, profile) => readNegatives(tx, profile, filters, query))
  return { content: rows.map(presentNegative), page: pageInfo(query.page, query.size, total) }
}
