import type { Profile } from '#features/accounts/server/public.ts'
import { ensureCampaigns, parentsOf } from '#features/structure/server/public.ts'
import type { PerformanceRow, ReportKind } from '#integrations/amazon-ads/index.ts'
import type { Db } from '#server/db/tables.ts'
import type { DailyRow, DailyTable } from '../sql/replace-days.ts'

/** What a report fills, and how its rows find our ids. A row that nothing of ours answers to is left out. */
export interface DailyReport {
  kind: ReportKind
  table: DailyTable
  toRows: (tx: Db, profile: Profile, rows: readonly PerformanceRow[], at: Date) => Promise<DailyRow[]>
}

/** Sales of the window that counts for the account: 7 days for sellers, 14 for vendors. */
const figuresOf = (profile: Profile, row: PerformanceRow) => {
  const window = row.windows[profile.accountType === 'vendor' ? '14' : '7']
  return {
    date: row.date,
    impressions: row.impressions,
    clicks: row.clicks,
    cost_micros: row.costMicros,
    sales_micros: window.salesMicros,
    orders: window.orders,
    units: window.units,
  }
}

const campaignRows: DailyReport['toRows'] = async (tx, profile, rows, at) => {
  const ids = await ensureCampaigns(tx, profile, [...new Set(rows.map(row => row.campaignId))], at)
  return rows.flatMap(row => {
    const campaign_id = ids.get(row.campaignId)
    return campaign_id === undefined ? [] : [{ campaign_id, ...figuresOf(profile, row) }]
  })
}

const targetRows: DailyReport['toRows'] = async (tx, profile, rows) => {
  const ids = await parentsOf(tx, 'target', profile, [...new Set(rows.flatMap(row => row.targetId ?? []))])
  return rows.flatMap(row => {
    const target = row.targetId === null ? undefined : ids.get(row.targetId)
    if (!target) return []
    const own = { campaign_id: target.campaignId, ad_group_id: target.adGroupId, target_id: target.id }
    return [{ ...own, search_term: row.searchTerm, ...figuresOf(profile, row) }]
  })
}

const adRows: DailyReport['toRows'] = async (tx, profile, rows) => {
  const ids = await parentsOf(tx, 'product_ad', profile, [...new Set(rows.flatMap(row => row.adId ?? []))])
  return rows.flatMap(row => {
    const ad = row.adId === null ? undefined : ids.get(row.adId)
    if (!ad) return []
    return [
      {
        campaign_id: ad.campaignId,
        ad_group_id: ad.adGroupId,
        ad_id: ad.id,
        asin: row.asin,
        ...figuresOf(profile, row),
      },
    ]
  })
}

export const dailyReports: readonly DailyReport[] = [
  { kind: 'CAMPAIGN', table: 'campaign_day', toRows: campaignRows },
  { kind: 'TARGETING', table: 'target_day', toRows: targetRows },
  {
    kind: 'SEARCH_TERM',
    table: 'search_term_day',
    toRows: async (tx, profile, rows, at) =>
      (await targetRows(tx, profile, rows, at)).filter(row => row.search_term !== null),
  },
  { kind: 'ADVERTISED_PRODUCT', table: 'ad_day', toRows: adRows },
]
