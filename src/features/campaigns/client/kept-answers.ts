import type { QueryClient } from '@tanstack/react-query'
import { keptAnswer, type KeptAnswer, keptPages } from '#client/api/memory/kept-screens.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { viewQueries } from '#features/views/client/public.ts'
import { listNames } from '#features/views/contract.ts'
import { contentsFilter } from './ad-groups/ad-group-contents.tsx'
import { bulkQueries } from './bulk/bulk-queries.ts'
import { changeQueries } from './changes/change-queries.ts'
import { justLaunchedQuery } from './list/just-launched.tsx'
import { filterOf } from './list/list-filters.ts'
import { campaignQueries } from './queries.ts'
import { adGroupsQuery, pickQuery } from './search-terms/ad-group-picker.tsx'
import { termQueries } from './search-terms/queries.ts'
import { termsFilterOf } from './search-terms/terms-search.ts'

/** What the screens of campaigns open with when their address says nothing. */
export function campaignAnswers(shop: Shop, range: DateRange): KeptAnswer[] {
  const days = { dateFrom: range.from, dateTo: range.to }
  const list = filterOf({}, range, 'cost' as const)
  const terms = termsFilterOf({}, range)
  return [
    keptPages(campaignQueries.campaigns(shop, list)),
    keptPages(justLaunchedQuery(shop, range)),
    keptAnswer(campaignQueries.listChart(shop, 'campaigns', days)),
    keptPages(campaignQueries.adGroups(shop, list)),
    keptAnswer(campaignQueries.listChart(shop, 'adGroups', days)),
    keptAnswer(campaignQueries.changeDays(shop, range)),
    keptPages(campaignQueries.keywords(shop, contentsFilter.keywords({}, range))),
    keptPages(campaignQueries.targets(shop, contentsFilter.targets({}, range))),
    keptPages(campaignQueries.ads(shop, contentsFilter.ads({}, range))),
    keptPages(termQueries.terms(shop, { ...terms, sortBy: 'cost' })),
    keptPages(termQueries.words(shop, { ...terms, length: 1, sortBy: 'waste' })),
    keptPages(campaignQueries.negatives(shop, { state: 'NOT_ARCHIVED', sortBy: 'text', sortDir: 'asc' })),
    keptPages(changeQueries.list(shop, { ...days, collapsed: true }, 50)),
    keptAnswer(campaignQueries.wasting(shop)),
    // Where a change is made without network.
    keptAnswer(pickQuery(shop)),
    keptAnswer(adGroupsQuery(shop, {})),
    // What lists are narrowed to and opened with.
    keptAnswer(bulkQueries.portfolios(shop)),
    ...listNames.map(list => keptAnswer(viewQueries.list(list))),
  ]
}

const detailed = 5

/** What the campaigns that spend most, and their largest ad groups, open with; once the list of campaigns is there. */
export function detailAnswers(client: QueryClient, shop: Shop, range: DateRange): KeptAnswer[] {
  const list = campaignQueries.campaigns(shop, filterOf({}, range, 'cost' as const))
  const rows = client.getQueryData(list.queryKey)?.pages[0]?.content.slice(0, detailed) ?? []
  const groups = client.getQueryData(campaignQueries.adGroups(shop, filterOf({}, range, 'cost' as const)).queryKey)
  return [
    ...rows.flatMap(({ id, amazonId }) => [
      keptAnswer(campaignQueries.row(shop, id, range)),
      keptAnswer(campaignQueries.chart(shop, id, range)),
      keptAnswer(campaignQueries.budgetUse(shop, id)),
      keptPages(
        campaignQueries.adGroups(shop, { campaignId: id, dateFrom: range.from, dateTo: range.to, sortBy: 'cost' }),
      ),
      keptAnswer(campaignQueries.one(shop, amazonId)),
    ]),
    ...(groups?.pages[0]?.content.slice(0, detailed) ?? []).flatMap(({ id }) => [
      keptAnswer(campaignQueries.adGroup(shop, id, range)),
      keptAnswer(campaignQueries.adGroupChart(shop, id, range)),
      keptPages(campaignQueries.keywords(shop, contentsFilter.keywords({}, range, id))),
      keptPages(campaignQueries.targets(shop, contentsFilter.targets({}, range, id))),
      keptPages(campaignQueries.ads(shop, contentsFilter.ads({}, range, id))),
    ]),
  ]
}
