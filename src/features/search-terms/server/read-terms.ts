import { type RawBuilder, sql } from 'kysely'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { profileFreshness, searchTermsBy } from '#features/metrics/server/public.ts'
import { coveringKeyword, coveringNegative } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { searchTermEndpoints } from '../contract.ts'

type Filter = Omit<
  EndpointParsed<(typeof searchTermEndpoints)['ofAccount']>['query'],
  'page' | 'size' | 'sortBy' | 'sortDir'
>

/** A term of one ad group: it has no id of its own. */
export interface TermKey {
  adGroupId: number
  term: string
}

/**
 * The search terms of the current account that pass a filter, as a subquery `s` (see `searchTermsBy`), and the days that
 * it sums: those requested, or the last 30 of the account’s calendar. With `among`, only those of them.
 */
export async function termsOf(ctx: Ctx, tx: Db, profile: Profile, q: Filter, among?: readonly TermKey[]) {
  const to = q.dateTo ?? dayIn(ctx.clock.now(), profile.timezone)
  const from = q.dateFrom ?? addDays(to, -29)
  const freshness = await profileFreshness(tx, profile)
  const ofDays = all(
    among !== undefined &&
      sql`(d.ad_group_id, d.search_term) in (select * from unnest(${among.map(({ adGroupId }) => adGroupId)}::bigint[], ${among.map(({ term }) => term)}::text[]))`,
    q.adGroupId !== undefined && sql`d.ad_group_id = ${q.adGroupId}`,
    q.campaignId !== undefined && sql`d.campaign_id = ${q.campaignId}`,
    q.adType !== undefined &&
      sql`d.campaign_id in (select c.id from campaign c where c.merchant_id = ${profile.merchantId} and c.ad_type = ${q.adType})`,
    Boolean(q.searchTermName) && sql`strpos(d.search_term, ${q.searchTermName?.toLowerCase()}) > 0`,
    Boolean(q.words) && sql`strpos(' ' || d.search_term || ' ', ${` ${q.words?.toLowerCase()} `}) > 0`,
  )
  const sums = searchTermsBy(profile, { from, to }, ofDays)
  const ofTerms = all(
    q.orders !== undefined && (q.orders === 'WITH' ? sql`s.orders > 0` : sql`s.orders = 0`),
    q.minClicks !== undefined && sql`s.clicks >= ${q.minClicks}`,
    q.coverage === 'NEGATIVE' && sql`${coveringNegative(profile)} is not null`,
    q.coverage === 'KEYWORD' && sql`${coveringKeyword(profile)} is not null and ${coveringNegative(profile)} is null`,
    q.coverage === 'NEW' && sql`${coveringKeyword(profile)} is null and ${coveringNegative(profile)} is null`,
  )
  return { from, to, freshness, terms: sql`(select s.* from ${sums} s where ${ofTerms})` }
}

const all = (...conditions: (RawBuilder<unknown> | false)[]): RawBuilder<unknown> => {
  const present = conditions.filter(condition => condition !== false)
  return present.length ? sql.join(present, sql` and `) : sql`true`
}
