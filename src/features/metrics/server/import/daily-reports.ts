import type { Profile } from '#features/accounts/server/public.ts'
import { ensureCampaigns, parentsOf } from '#features/structure/server/public.ts'
import type { PerformanceRow, ReportKind } from '#integrations/amazon-ads/index.ts'
import type { Db } from '#server/db/tables.ts'
import { attributedColumns, trafficColumns } from '../sql/metric-columns.ts'
import type { DailyRow, DailyTable } from '../sql/replace-days.ts'

/** A report, the table that it fills, and how its rows find our ids. Rows of entities that are not mirrored are left out. */
export interface DailyReport {
  kind: ReportKind
  table: DailyTable
  toRows: (tx: Db, profile: Profile, rows: readonly PerformanceRow[], at: Date) => Promise<DailyRow[]>
}

/** A row's day and metrics by column, of the attribution window that counts for the account: 7 days for sellers, 14 for vendors. */
function metricsOf(profile: Profile, row: PerformanceRow): DailyRow {
  const attributed = row.windows[profile.accountType === 'vendor' ? '14' : '7']
  return {
    date: row.date,
    ...Object.fromEntries(trafficColumns.map(({ column, field }) => [column, row[field]])),
    ...Object.fromEntries(attributedColumns.map(({ column, field }) => [column, attributed[field]])),
  }
}

async function campaignRows(tx: Db, profile: Profile, rows: readonly PerformanceRow[], at: Date): Promise<DailyRow[]> {
  const ids = await ensureCampaigns(tx, profile, [...new Set(rows.map(row => row.campaignId))], at)
  return rows.flatMap(row => {
    const campaign_id = ids.get(row.campaignId)
    return campaign_id === undefined ? [] : [{ campaign_id, ...metricsOf(profile, row) }]
  })
}

async function targetRows(tx: Db, profile: Profile, rows: readonly PerformanceRow[]): Promise<DailyRow[]> {
  const ids = await parentsOf(tx, 'target', profile, [...new Set(rows.flatMap(row => row.targetId ?? []))])
  return rows.flatMap(row => {
    const target = row.targetId === null ? undefined : ids.get(row.targetId)
    if (!target) return []
    const keys = { campaign_id: target.campaignId, ad_group_id: target.adGroupId, target_id: target.id }
    return [{ ...keys, search_term: row.searchTerm, ...metricsOf(profile, row) }]
  })
}

async function adRows(tx: Db, profile: Profile, rows: readonly PerformanceRow[]): Promise<DailyRow[]> {
  const ids = await parentsOf(tx, 'ad', profile, [...new Set(rows.flatMap(row => row.adId ?? []))])
  return rows.flatMap(row => {
    const ad = row.adId === null ? undefined : ids.get(row.adId)
    if (!ad) return []
    const keys = { campaign_id: ad.campaignId, ad_group_id: ad.adGroupId, ad_id: ad.id, asin: row.asin }
    return [{ ...keys, ...metricsOf(profile, row) }]
  })
}

export const dailyReports: readonly DailyReport[] = [
  { kind: 'CAMPAIGN', table: 'campaign_day', toRows: campaignRows },
  { kind: 'TARGETING', table: 'target_day', toRows: targetRows },
  {
    kind: 'SEARCH_TERM',
    table: 'search_term_day',
    toRows: (tx, profile, rows) =>
      targetRows(
        tx,
        profile,
        rows.filter(row => row.searchTerm !== null),
      ),
  },
  { kind: 'ADVERTISED_PRODUCT', table: 'ad_day', toRows: adRows },
]
