import { randomUUID } from 'node:crypto'
import type { Profile } from '#features/accounts/server/public.ts'
import type { PerformanceRow } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { attributedFields, type FigureSums, measuredNames, fieldOf, noSums, trafficFields } from '#shared/metrics.ts'
import { windowOf } from '../sql/freshness.ts'
import { type DailyTable, fewRows } from '../sql/replace-days.ts'
import { deleteReportRows, type ReportRow, saveReportRows, type Staged } from '../sql/report-rows.ts'

/** The rows of a report in the database, and what they add up to by day. */
export interface StagedReport extends Staged {
  sums: Map<string, FigureSums>
}

const batch = 5000

/**
 * Saves the rows of a report as they stream in, outside of any transaction: however large the report is, a few thousand are in
 * memory. The few rows of a small account stay there. Drop them when they are used; leaves nothing behind when it throws.
 */
export async function stageReport(
  { db, clock }: Services,
  profile: Profile,
  report: { adType: AdType; table: DailyTable },
  rows: AsyncIterable<PerformanceRow>,
): Promise<StagedReport> {
  const pull = randomUUID()
  const staged: StagedReport = { pull, rows: 0, few: null, sums: new Map() }
  // The next rows are read while the last ones are saved.
  let saving = Promise.resolve()
  const save = async (some: readonly ReportRow[]) => {
    await saving
    saving = saveReportRows(db.system, profile, pull, clock.now(), some)
    // The next one that awaits it gets its error; until then it must not count as unhandled.
    saving.catch(() => undefined)
    staged.rows += some.length
  }
  try {
    let some: ReportRow[] = []
    for await (const row of rows) {
      const figures = figuresOf(profile, report.adType, row)
      addTo(staged.sums, row.date, figures)
      const keys = keysOf[report.table](row)
      if (keys) some.push({ date: row.date, searchTerm: null, asin: null, placement: null, ...keys, ...figures })
      if (some.length < batch) continue
      await save(some)
      some = []
    }
    if (staged.rows === 0 && some.length <= fewRows) return { ...staged, rows: some.length, few: some }
    if (some.length) await save(some)
    await saving
    return staged
  } catch (error) {
    await Promise.allSettled([saving])
    await deleteReportRows(db.system, profile, pull)
    throw error
  }
}

/** What a row is about; null where its table has no place for it. */
const keysOf: Record<DailyTable, (row: PerformanceRow) => (Pick<ReportRow, 'amazonId'> & Partial<ReportRow>) | null> = {
  campaign_day: row => ({ amazonId: row.campaignId }),
  target_day: row => (row.targetId === null ? null : { amazonId: row.targetId }),
  search_term_day: ({ targetId, searchTerm }) =>
    targetId === null || searchTerm === null ? null : { amazonId: targetId, searchTerm },
  ad_day: ({ adId, asin }) => (adId === null ? null : { amazonId: adId, asin }),
  placement_day: ({ campaignId, placement }) => ({ amazonId: campaignId, placement: placement ?? 'OTHER' }),
}

/** What the rows of a report add up to by day; days without rows are missing. */
export async function sumByDay(
  profile: Profile,
  adType: AdType,
  rows: AsyncIterable<PerformanceRow>,
): Promise<Map<string, FigureSums>> {
  const sums = new Map<string, FigureSums>()
  for await (const row of rows) addTo(sums, row.date, figuresOf(profile, adType, row))
  return sums
}

/**
 * A row's figures, of the attribution window that counts: 7 days for Sponsored Products of sellers, 14 for everything else.
 */
function figuresOf({ accountType }: Profile, adType: AdType, row: PerformanceRow): FigureSums {
  const figures = { ...noSums }
  const attributed = row.windows[windowOf(adType, accountType)]
  for (const field of trafficFields) figures[field] = row[field]
  for (const field of attributedFields) figures[field] = attributed[field]
  return figures
}

const fields = measuredNames.map(fieldOf)

function addTo(sums: Map<string, FigureSums>, date: string, figures: FigureSums): void {
  const total = sums.get(date) ?? { ...noSums }
  for (const field of fields) total[field] += figures[field]
  sums.set(date, total)
}
