import type { Profile } from '#features/accounts/server/public.ts'
import { type ImportProgress, ensureCampaigns, otherAdTypes, parentsOf } from '#features/structure/server/public.ts'
import { keptDays, type PerformanceRow, type ReportKind } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { addDays, dayIn, daysBetween } from '#shared/time.ts'
import { windowOf } from '../sql/freshness.ts'
import { noteDaily, noteDailyPart } from '../sql/metrics-state.ts'
import { replaceDays, type DailyRow, type DailyTable } from '../sql/replace-days.ts'
import { rollUpProducts } from '../sql/read-products.ts'
import { saveRevisions } from '../sql/revisions.ts'
import { learnFromRevisions } from '../sql/settling.ts'
import { closeRequest, isSuperseded, openRequest } from '../sql/report-requests.ts'
import { type ReportDays, ReportNotReady, readReport, requestReport } from './read-report.ts'
import { attributedColumns, trafficColumns } from '../sql/metric-columns.ts'

/** The marketplace takes at most this many days a request. */
const daysPerReport = 31

interface Pull extends ImportProgress {
  from: string
  to: string
  /** Only some days in between are read again: the figures as a whole become no younger. */
  isRepair?: boolean
}

/**
 * Imports an account's daily figures of these days (profile's time zone, both included) and replaces them, report by
 * report, each in one transaction with the account's data version. Their age is noted with the last report: that of the
 * first request. May be stopped and run again: it resumes the reports that were requested. Throws ReportNotReady when
 * the marketplace takes too long for one run.
 */
export async function importDays(services: Services, profile: Profile, pull: Pull): Promise<void> {
  const parts = await partsToPull(services, profile, pull)
  // All are requested at once, since the marketplace makes them in parallel; then they are read one after the other.
  let asOf = services.clock.now()
  for (const part of parts) {
    pull.signal.throwIfAborted()
    const { requestedAt } = await requestReport(services, profile, part)
    if (requestedAt < asOf) asOf = requestedAt
  }
  for (const [i, part] of parts.entries()) {
    await pull.onProgress(i / parts.length, `${part.from} to ${part.to}`, part)
    const rows = await readReport(services, profile, part, pull.signal)
    const isLast = i === parts.length - 1
    await services.db.tenant(profile.merchantId, async tx => {
      await saveReport(tx, services, profile, part, rows)
      if (!isLast || pull.isRepair) return
      await noteDaily(tx, profile, pull, asOf)
      await learnFromRevisions(tx, profile, asOf)
    })
  }
}

interface Part extends ReportDays {
  report: DailyReport
}

/**
 * The reports of every ad type that the account uses, for as many of the days as the marketplace keeps of it; newest first:
 * it is what people look at.
 */
async function partsToPull({ db, clock }: Services, profile: Profile, { from, to }: Pull): Promise<Part[]> {
  const today = dayIn(clock.now(), profile.timezone)
  const others = await db.tenant(profile.merchantId, tx => otherAdTypes(tx, profile))
  const used = dailyReports.filter(({ adType }) => adType === 'SPONSORED_PRODUCTS' || others.includes(adType))
  return used
    .flatMap(report => {
      const first = addDays(today, 1 - keptDays[report.adType])
      return partsOf(from < first ? first : from, to).map(range => ({ report, kind: report.kind, ...range }))
    })
    .toSorted((a, b) => (a.to === b.to ? 0 : a.to < b.to ? 1 : -1))
}

function partsOf(from: string, to: string): { from: string; to: string }[] {
  const count = Math.ceil((daysBetween(from, to) + 1) / daysPerReport)
  return Array.from({ length: Math.max(count, 0) }, (_, i) => {
    const end = addDays(to, -i * daysPerReport)
    const start = addDays(end, 1 - daysPerReport)
    return { from: start < from ? from : start, to: end }
  })
}

async function saveReport(tx: Db, { clock }: Services, profile: Profile, part: Part, rows: readonly PerformanceRow[]) {
  const { report, kind, from, to } = part
  const request = await openRequest(tx, profile, { kind, from, to }, clock.now())
  // Another pull was faster; the next run requests this one again.
  if (await isSuperseded(tx, profile, request)) throw new ReportNotReady(kind, from, to)
  const { adType, table } = report
  const days = await report.toRows(tx, { profile, adType, at: clock.now() }, rows)
  await replaceDays(tx, table, profile, { from, to, adType }, days)
  if (table === 'campaign_day') await saveRevisions(tx, profile, { from, to, adType }, days, request.requestedAt)
  if (table === 'ad_day') await rollUpProducts(tx, profile, { from, to })
  await noteDailyPart(tx, profile)
  await closeRequest(tx, profile.merchantId, request.id, clock.now())
}

interface Report {
  profile: Profile
  adType: AdType
  at: Date
}
type ToRows = (tx: Db, report: Report, rows: readonly PerformanceRow[]) => Promise<DailyRow[]>

/** A report, the table that it fills, and how its rows find our ids. Rows of entities that are not mirrored are left out. */
interface DailyReport {
  kind: ReportKind
  adType: AdType
  table: DailyTable
  toRows: ToRows
}

/**
 * A row's day and metrics by column, of the attribution window that counts: 7 days for Sponsored Products of sellers, 14
 * for everything else.
 */
export function metricsOf({ profile, adType }: Pick<Report, 'profile' | 'adType'>, row: PerformanceRow): DailyRow {
  const attributed = row.windows[windowOf(adType, profile.accountType)]
  return {
    date: row.date,
    ...Object.fromEntries(trafficColumns.map(({ column, field }) => [column, row[field]])),
    ...Object.fromEntries(attributedColumns.map(({ column, field }) => [column, attributed[field]])),
  }
}

const campaignRows: ToRows = async (tx, report, rows) => {
  const amazonIds = [...new Set(rows.map(row => row.campaignId))]
  const ids = await ensureCampaigns(tx, report.profile, report.adType, amazonIds, report.at)
  return rows.flatMap(row => {
    const campaign_id = ids.get(row.campaignId)
    return campaign_id === undefined ? [] : [{ campaign_id, ...metricsOf(report, row) }]
  })
}

const targetRows: ToRows = async (tx, report, rows) => {
  const ids = await parentsOf(tx, 'target', report.profile, [...new Set(rows.flatMap(row => row.targetId ?? []))])
  return rows.flatMap(row => {
    const target = row.targetId === null ? undefined : ids.get(row.targetId)
    if (!target) return []
    const keys = { campaign_id: target.campaignId, ad_group_id: target.adGroupId, target_id: target.id }
    return [{ ...keys, search_term: row.searchTerm, ...metricsOf(report, row) }]
  })
}

const termRows: ToRows = (tx, report, rows) =>
  targetRows(
    tx,
    report,
    rows.filter(row => row.searchTerm !== null),
  )

const adRows: ToRows = async (tx, report, rows) => {
  const ids = await parentsOf(tx, 'ad', report.profile, [...new Set(rows.flatMap(row => row.adId ?? []))])
  return rows.flatMap(row => {
    const ad = row.adId === null ? undefined : ids.get(row.adId)
    if (!ad) return []
    const keys = { campaign_id: ad.campaignId, ad_group_id: ad.adGroupId, ad_id: ad.id, asin: row.asin }
    return [{ ...keys, ...metricsOf(report, row) }]
  })
}

// What is shown next to an audience or a product has no search terms.
const dailyReports: readonly DailyReport[] = [
  { kind: 'CAMPAIGN', adType: 'SPONSORED_PRODUCTS', table: 'campaign_day', toRows: campaignRows },
  { kind: 'SB_CAMPAIGN', adType: 'SPONSORED_BRANDS', table: 'campaign_day', toRows: campaignRows },
  { kind: 'SD_CAMPAIGN', adType: 'SPONSORED_DISPLAY', table: 'campaign_day', toRows: campaignRows },
  { kind: 'TARGETING', adType: 'SPONSORED_PRODUCTS', table: 'target_day', toRows: targetRows },
  { kind: 'SB_TARGETING', adType: 'SPONSORED_BRANDS', table: 'target_day', toRows: targetRows },
  { kind: 'SD_TARGETING', adType: 'SPONSORED_DISPLAY', table: 'target_day', toRows: targetRows },
  { kind: 'SEARCH_TERM', adType: 'SPONSORED_PRODUCTS', table: 'search_term_day', toRows: termRows },
  { kind: 'SB_SEARCH_TERM', adType: 'SPONSORED_BRANDS', table: 'search_term_day', toRows: termRows },
  { kind: 'ADVERTISED_PRODUCT', adType: 'SPONSORED_PRODUCTS', table: 'ad_day', toRows: adRows },
  { kind: 'SB_AD', adType: 'SPONSORED_BRANDS', table: 'ad_day', toRows: adRows },
  { kind: 'SD_ADVERTISED_PRODUCT', adType: 'SPONSORED_DISPLAY', table: 'ad_day', toRows: adRows },
]
