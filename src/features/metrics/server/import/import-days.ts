import type { Profile } from '#features/accounts/server/public.ts'
import { type ImportProgress, ensureCampaigns, otherAdTypes } from '#features/structure/server/public.ts'
import { keptDays, type ReportKind } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { addDays, dayIn, daysBetween } from '#shared/time.ts'
import { noteDaily, noteDailyPart } from '../sql/metrics-state.ts'
import { replaceDays, type DailyTable } from '../sql/replace-days.ts'
import { dailyRowsOf, dropStaged, requireComplete, unmirroredCampaigns } from '../sql/report-rows.ts'
import { rollUpProducts } from '../sql/read-products.ts'
import { saveRevisions } from '../sql/revisions.ts'
import { learnFromRevisions } from '../sql/settling.ts'
import { closeRequest, openRequest, type ReportRequest } from '../sql/report-requests.ts'
import { type ReportDays, ReportNotReady, readReport, requestReports } from './read-report.ts'
import { type StagedReport, stageReport } from './stage-report.ts'

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
  const requests = await requestReports(services, profile, parts, pull.signal)
  const asOf = new Date(Math.min(services.clock.now().getTime(), ...requests.map(one => one.requestedAt.getTime())))
  for await (const { part, staged, isLast } of stagedReports(services, profile, parts, requests, pull))
    await services.db.tenant(profile.merchantId, async tx => {
      await saveReport(tx, services, profile, part, staged)
      if (!isLast || pull.isRepair) return
      await noteDaily(tx, profile, pull, asOf)
      await learnFromRevisions(tx, profile, asOf)
    })
}

/**
 * The reports one after the other, each with its rows in the database until the caller asks for the next. That one is read
 * meanwhile: reading keeps this process busy, and saving the database.
 */
async function* stagedReports(
  services: Services,
  profile: Profile,
  parts: readonly Part[],
  requests: readonly ReportRequest[],
  pull: Pull,
) {
  const stop = new AbortController()
  const signal = AbortSignal.any([pull.signal, stop.signal])
  const start = (n: number) => {
    const part = parts[n]
    if (!part) return null
    // A request that waited for its turn may be superseded by now; saving it finds out.
    const reading = readReport(services, profile, part, signal, requests[n]).then(rows =>
      stageReport(services, profile, part.report, rows),
    )
    // The loop that awaits it gets its error; until then it must not count as unhandled.
    reading.catch(() => undefined)
    return reading
  }
  const drop = (staged: StagedReport) => dropStaged(services.db.system, profile, staged)
  let next = start(0)
  try {
    for (const [i, part] of parts.entries()) {
      await pull.onProgress(i / parts.length, `${part.from} to ${part.to}`, part)
      const staged = (await next) as StagedReport
      next = start(i + 1)
      try {
        yield { part, staged, isLast: i === parts.length - 1 }
      } finally {
        await drop(staged)
      }
    }
  } finally {
    stop.abort()
    const unused = await next?.catch(() => null)
    if (unused) await drop(unused)
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
  const others = await db.reading(profile.merchantId, tx => otherAdTypes(tx, profile))
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

async function saveReport(tx: Db, { clock }: Services, profile: Profile, part: Part, staged: StagedReport) {
  const { report, kind, from, to } = part
  const request = await openRequest(tx, profile, { kind, from, to }, clock.now())
  // Another pull was faster; the next run requests this one again.
  if (request.isSuperseded) throw new ReportNotReady(kind, from, to)
  const { adType, table } = report
  await requireComplete(tx, profile, staged)
  if (table === 'campaign_day')
    await ensureCampaigns(tx, profile, adType, await unmirroredCampaigns(tx, profile, staged), clock.now())
  const covered = { from, to, adType }
  const changed = await replaceDays(tx, table, profile, covered, dailyRowsOf(table, profile, staged), staged.rows)
  if (table === 'campaign_day') await saveRevisions(tx, profile, covered, staged.sums, request.requestedAt)
  if (table === 'ad_day' && changed) await rollUpProducts(tx, profile, changed)
  await noteDailyPart(tx, profile)
  await closeRequest(tx, profile.merchantId, request.id, clock.now())
}

/** A report and the table that it fills. Rows of entities that are not mirrored are left out. */
interface DailyReport {
  kind: ReportKind
  adType: AdType
  table: DailyTable
}

// What is shown next to an audience or a product has no search terms and no places.
const dailyReports: readonly DailyReport[] = [
  { kind: 'CAMPAIGN', adType: 'SPONSORED_PRODUCTS', table: 'campaign_day' },
  { kind: 'SB_CAMPAIGN', adType: 'SPONSORED_BRANDS', table: 'campaign_day' },
  { kind: 'SD_CAMPAIGN', adType: 'SPONSORED_DISPLAY', table: 'campaign_day' },
  { kind: 'TARGETING', adType: 'SPONSORED_PRODUCTS', table: 'target_day' },
  { kind: 'SB_TARGETING', adType: 'SPONSORED_BRANDS', table: 'target_day' },
  { kind: 'SD_TARGETING', adType: 'SPONSORED_DISPLAY', table: 'target_day' },
  { kind: 'SEARCH_TERM', adType: 'SPONSORED_PRODUCTS', table: 'search_term_day' },
  { kind: 'SB_SEARCH_TERM', adType: 'SPONSORED_BRANDS', table: 'search_term_day' },
  { kind: 'ADVERTISED_PRODUCT', adType: 'SPONSORED_PRODUCTS', table: 'ad_day' },
  { kind: 'SB_AD', adType: 'SPONSORED_BRANDS', table: 'ad_day' },
  { kind: 'SD_ADVERTISED_PRODUCT', adType: 'SPONSORED_DISPLAY', table: 'ad_day' },
  { kind: 'PLACEMENT', adType: 'SPONSORED_PRODUCTS', table: 'placement_day' },
  { kind: 'SB_PLACEMENT', adType: 'SPONSORED_BRANDS', table: 'placement_day' },
]
