import { adColumns, adGroupColumns, campaignColumns, targetColumns } from '#features/campaigns/list-queries.ts'
import { campaignListEndpoints } from '#features/campaigns/contract.ts'
import { campaignPageEndpoints } from '#features/campaigns/page-contract.ts'
import { catalogueEndpoints } from '#features/catalogue/contract.ts'
import { inventorySorts } from '#features/catalogue/inventory-sorts.ts'
import { asinEndpoints } from '#features/insights/asin-contract.ts'
import { hourlyEndpoints } from '#features/insights/hourly-contract.ts'
import { keywordEndpoints } from '#features/insights/keyword-contract.ts'
import { structureEndpoints } from '#features/structure/contract.ts'
import { homeEndpoints } from '#features/home/contract.ts'
import { addDays } from '#shared/time.ts'

/** A call that a screen makes, each time a little different. */
export interface ScreenCall {
  name: string
  /** Path and query of the n-th call, below /api. */
  path(n: number): string
}

type Query = Record<string, string | number | undefined>
const rangeDays = [30, 7, 14, 60, 90]
const searches = ['hose', 'blue', 'yoga mat', 'SP']
const searched = ['hose', 'blue', 'yoga mat', 'lamp', 'for travel', 'gift', 'zebra', 'coffee', 'bike light', 'SP rain']
// Another one on each call, with a step that shares no divisor with the length, so that choices mix.
const pick = <T>(from: readonly T[], n: number, step: number): T => from[(n * step) % from.length] as T

// Filters and orders that sellers use, one after the other.
const figureFilters = ['acos>40', 'cost>0,orders<=0', 'clicks>=10,orders<=0', 'impressions<=0']
const servings = ['STOPPED', 'RUNS', 'MONEY', 'OFF']

function withQuery(path: string, query: Query): string {
  const entries = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))
  return `${path}?${new URLSearchParams(entries)}`
}

function rangeOf(n: number, lastDay: string) {
  return {
    dateFrom: addDays(lastDay, 1 - pick(rangeDays, n, 1)),
    dateTo: lastDay,
  }
}

/** Every call of Home, over ranges of 7 to 90 days. */
export function homeCalls(lastDay: string): ScreenCall[] {
  const { cards, breakdown, performance, why, budgets } = homeEndpoints
  const granularities = ['DAY', 'WEEK', 'MONTH']
  return [
    { name: 'Home: cards', path: n => withQuery(cards.path, rangeOf(n, lastDay)) },
    { name: 'Home: marketplaces', path: n => withQuery(breakdown.path, rangeOf(n, lastDay)) },
    {
      name: 'Home: performance',
      path: n => withQuery(performance.path, { ...rangeOf(n, lastDay), granularity: pick(granularities, n, 2) }),
    },
    { name: 'Home: why', path: n => withQuery(why.path, rangeOf(n, lastDay)) },
    { name: 'Home: budgets', path: () => budgets.path },
  ]
}

/** Every call of insights and the list of inventory, over ranges of 7 to 90 days; hours also of one campaign. */
export function insightCalls(lastDay: string, campaignIds: readonly number[]): ScreenCall[] {
  const metricsOfHours = ['acos', 'cost', 'orders', 'clicks']
  const hours = (n: number) => ({ ...rangeOf(n, lastDay), metric: pick(metricsOfHours, n, 1) })
  const { topTerms, topKeywords, underperforming, negativeImpact } = keywordEndpoints
  return [
    { name: 'Insights: hours', path: n => withQuery(hourlyEndpoints.heatmap.path, hours(n)) },
    {
      name: 'Insights: hours of a campaign',
      path: n => withQuery(hourlyEndpoints.heatmap.path, { ...hours(n), campaignId: pick(campaignIds, n, 11) }),
    },
    { name: 'Insights: products', path: n => withQuery(asinEndpoints.list.path, rangeOf(n, lastDay)) },
    { name: 'Insights: chart of products', path: n => withQuery(asinEndpoints.chart.path, rangeOf(n, lastDay)) },
    { name: 'Insights: top search terms', path: n => withQuery(topTerms.path, rangeOf(n, lastDay)) },
    { name: 'Insights: top keywords', path: n => withQuery(topKeywords.path, rangeOf(n, lastDay)) },
    { name: 'Insights: underperforming', path: n => withQuery(underperforming.path, rangeOf(n, lastDay)) },
    { name: 'Insights: negative impact', path: n => withQuery(negativeImpact.path, rangeOf(n, lastDay)) },
    {
      name: 'Inventory',
      path: n =>
        withQuery(catalogueEndpoints.inventory.path, {
          sortBy: pick(inventorySorts, n, 1),
          sortDir: pick(['asc', 'desc'], n, 1),
          snapshotDate: pick([undefined, undefined, addDays(lastDay, -20)], n, 1),
          search: pick([undefined, undefined, undefined, 'Product', 'SKU'], n, 1),
        }),
    },
  ]
}

/** The list as it opens: the dearest campaigns of the last 30 days. */
export const campaignListPath = (lastDay: string, page = 0): string =>
  withQuery(campaignListEndpoints.campaigns.path, { dateFrom: addDays(lastDay, -29), dateTo: lastDay, page, size: 20 })

/** Every reading call of Campaigns, with mixed ranges, sorts, pages and searches, over these campaigns. */
export function campaignCalls(lastDay: string, campaignIds: readonly number[]): ScreenCall[] {
  const lists = campaignListEndpoints
  const listed = (n: number, columns: readonly string[]): Query => ({
    ...rangeOf(n, lastDay),
    sortBy: pick(columns, n, 7),
    sortDir: pick(['desc', 'asc'], n, 1),
    page: pick([0, 0, 0, 1, 2], n, 3),
    size: 20,
  })
  const searched = (n: number) => pick([undefined, undefined, ...searches], n, 5)
  const inCampaign = (n: number) => ({ campaignId: pick(campaignIds, n, 11) })
  // Columns that every list has.
  const common = ['cost', 'sales', 'acos', 'clicks', 'id', 'state', 'orders', 'impressions', 'roas', 'ctr']
  return [
    {
      name: 'Campaigns: list',
      path: n => withQuery(lists.campaigns.path, { ...listed(n, campaignColumns), name: searched(n) }),
    },
    {
      name: 'Campaigns: list, one state',
      path: n =>
        withQuery(lists.campaigns.path, { ...listed(n, campaignColumns), state: pick(['ENABLED', 'PAUSED'], n, 1) }),
    },
    {
      name: 'Campaigns: list, by figures and delivery',
      path: n =>
        withQuery(lists.campaigns.path, {
          ...listed(n, campaignColumns),
          figures: pick(figureFilters, n, 1),
          serving: pick([undefined, ...servings], n, 3),
        }),
    },
    {
      name: 'Campaigns: chart',
      path: n => withQuery(lists.campaignChart.path, { ...rangeOf(n, lastDay), name: searched(n) }),
    },
    { name: 'Campaigns: pick', path: () => structureEndpoints.pick.path },
    {
      name: 'Campaigns: one',
      path: n => structureEndpoints.get.path.replace(':id', String(pick(campaignIds, n, 11))),
    },
    {
      name: 'Campaigns: budget use',
      path: n => campaignPageEndpoints.budgetUse.path.replace(':id', String(pick(campaignIds, n, 11))),
    },
    {
      name: 'Ad groups: of all',
      path: n => withQuery(lists.adGroups.path, { ...listed(n, common), name: searched(n) }),
    },
    {
      name: 'Ad groups: of one campaign',
      path: n => withQuery(lists.adGroups.path, { ...listed(n, common), page: 0, ...inCampaign(n) }),
    },
    {
      name: 'Ad groups: chart',
      path: n => withQuery(lists.adGroupChart.path, { ...rangeOf(n, lastDay), name: searched(n) }),
    },
    { name: 'Ads: of all', path: n => withQuery(lists.ads.path, listed(n, common)) },
    {
      name: 'Keywords: of all',
      path: n => withQuery(lists.keywords.path, { ...listed(n, targetColumns), keywordText: searched(n) }),
    },
    {
      name: 'Keywords: of all, by figures',
      path: n => withQuery(lists.keywords.path, { ...listed(n, targetColumns), figures: pick(figureFilters, n, 1) }),
    },
    {
      name: 'Keywords: of one campaign',
      path: n => withQuery(lists.keywords.path, { ...listed(n, targetColumns), page: 0, ...inCampaign(n) }),
    },
    {
      name: 'Targets: of all',
      path: n => withQuery(lists.targets.path, { ...listed(n, targetColumns), name: searched(n) }),
    },
    {
      name: 'Negatives: of one campaign',
      path: n => withQuery(lists.negatives.path, { size: 20, ...inCampaign(n) }),
    },
  ]
}

/** The first page of every list over the whole account: plain, in every order, and narrowed in every way. */
export function firstPages(lastDay: string): ScreenCall[] {
  const lists = campaignListEndpoints
  const opened = { dateFrom: addDays(lastDay, -29), dateTo: lastDay, page: 0, size: 50 }
  const sides = ['desc', 'asc']
  const narrowed = (n: number, text: 'name' | 'keywordText'): Query =>
    pick<Query>(
      [
        { figures: pick(figureFilters, n >> 2, 1) },
        { serving: pick(servings, n >> 2, 1) },
        { state: pick(['ENABLED', 'PAUSED'], n >> 2, 1) },
        { [text]: pick(searches, n >> 2, 1) },
      ],
      n,
      1,
    )
  const each = (name: string, path: string, columns: readonly string[], text: 'name' | 'keywordText'): ScreenCall[] => [
    { name: `${name}: as it opens`, path: () => withQuery(path, opened) },
    {
      name: `${name}: sorted`,
      path: n => withQuery(path, { ...opened, sortBy: pick(columns, n, 1), sortDir: pick(sides, n, 1) }),
    },
    { name: `${name}: filtered`, path: n => withQuery(path, { ...opened, ...narrowed(n, text) }) },
    // Each text is another one, as typed for the first time; every third page is in the order of a field.
    {
      name: `${name}: searched`,
      path: n =>
        withQuery(path, { ...opened, [text]: textOf(n), ...(n % 3 === 2 && { sortBy: pick(['id', 'state'], n, 1) }) }),
    },
  ]
  const textOf = (n: number) => pick(searched, n, 1) + (n < searched.length ? '' : ` ${n}`)
  return [
    ...each('Campaigns', lists.campaigns.path, campaignColumns, 'name'),
    ...each('Ad groups', lists.adGroups.path, adGroupColumns, 'name'),
    ...each('Ads', lists.ads.path, adColumns, 'name'),
    ...each('Keywords', lists.keywords.path, targetColumns, 'keywordText'),
    ...each('Targets', lists.targets.path, targetColumns, 'name'),
    { name: 'Campaigns: chart', path: () => withQuery(lists.campaignChart.path, { ...rangeOf(0, lastDay) }) },
    {
      name: 'Campaigns: chart, filtered',
      path: n => withQuery(lists.campaignChart.path, { ...rangeOf(n, lastDay), ...narrowed(n, 'name') }),
    },
    { name: 'Ad groups: chart', path: () => withQuery(lists.adGroupChart.path, { ...rangeOf(0, lastDay) }) },
    {
      name: 'Ad groups: chart, filtered',
      path: n => withQuery(lists.adGroupChart.path, { ...rangeOf(n, lastDay), ...narrowed(n, 'name') }),
    },
    { name: 'Targets: wasting', path: () => campaignPageEndpoints.wasting.path },
  ]
}
