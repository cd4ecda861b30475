import { setTimeout as sleep } from 'node:timers/promises'
import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import type { PerformanceRow, ReportKind, Reports } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import { UpstreamError } from '#server/http-client/upstream-errors.ts'
import { noteRequested, openRequests, type ReportRequest, setAmazonReport } from '../sql/report-requests.ts'

/** A report that is not ready after this long is requested again; it normally takes minutes, up to three hours. */
const stuckAfterMs = 6 * 3_600_000
const pollsMs = [500, 1000, 2000, 3000, 5000, 10_000, 20_000, 30_000, 60_000]

/** The report is not ready within one run; the job is retried and resumes with the same report. */
export class ReportNotReady extends Error {
  constructor(kind: string, from: string, to: string) {
    super(`The ${kind} report of ${from} to ${to} is not ready yet.`)
    this.name = 'ReportNotReady'
  }
}

/** One report: its kind and its days, both included, at most 31. */
export interface ReportDays {
  kind: ReportKind
  from: string
  to: string
}

/**
 * Requests reports unless they are requested already, so that a restart resumes the same ones; again where newer figures than
 * one will have were saved meanwhile. Answers them in their order.
 */
export async function requestReports(
  services: Services,
  profile: Profile,
  parts: readonly ReportDays[],
  signal: AbortSignal,
): Promise<ReportRequest[]> {
  const { db, clock, integrations } = services
  const { merchantId } = profile
  const open = await db.tenant(merchantId, tx => openRequests(tx, profile, parts, clock.now()))
  if (open.every(isUsable)) return open
  const { reports } = adsOf(integrations, profile)
  const requested = new Map<number, ReportRequest>()
  try {
    for (const request of open) {
      if (isUsable(request)) continue
      signal.throwIfAborted()
      // While the older report is pending, a new request only leads back to it.
      if (request.amazonReportId !== null) await cancel(services, reports, request.amazonReportId)
      const { kind, from, to } = request
      const { reportId } = await reports.request({ kind: kind as ReportKind, startDate: from, endDate: to })
      const now = { amazonReportId: reportId, requestedAt: clock.now(), isSuperseded: false }
      requested.set(request.id, { ...request, ...now })
    }
  } finally {
    // Those before one that failed, too.
    if (requested.size) await db.tenant(merchantId, tx => noteRequested(tx, merchantId, [...requested.values()]))
  }
  return open.map(request => requested.get(request.id) ?? request)
}

const isUsable = ({ amazonReportId, isSuperseded }: ReportRequest): boolean => amazonReportId !== null && !isSuperseded

/**
 * The rows of a report as they stream in; it is requested where it is not yet (`requested`: just now), or again where it fails
 * or is stuck. Throws ReportNotReady when the marketplace takes too long for one run. What came of a report that throws while it is read must not
 * be used.
 */
export async function readReport(
  services: Services,
  profile: Profile,
  part: ReportDays,
  signal: AbortSignal,
  requested?: ReportRequest,
): Promise<AsyncIterable<PerformanceRow>> {
  const { db, clock, integrations } = services
  const { reports } = adsOf(integrations, profile)
  let failures = 0
  for (let poll = 0; ; poll++) {
    signal.throwIfAborted()
    const [again] = poll === 0 && requested ? [requested] : await requestReports(services, profile, [part], signal)
    const request = again as ReportRequest
    const state = await reports.get(request.amazonReportId ?? '')
    if (state.status === 'COMPLETED' && state.url) return reports.rows(state.url)
    const isStuck = services.clock.now().getTime() - request.requestedAt.getTime() > stuckAfterMs
    if (state.status === 'FAILED' || isStuck) {
      // While a stuck report is pending, a new request only leads back to it.
      if (isStuck && request.amazonReportId) await cancel(services, reports, request.amazonReportId)
      const reason = state.failureReason ?? (isStuck ? 'not ready in time' : 'failed')
      await db.tenant(profile.merchantId, tx =>
        setAmazonReport(tx, profile.merchantId, request.id, null, reason, clock.now()),
      )
      if (++failures > 2)
        throw new Error(
          `The ${part.kind} report of ${part.from} to ${part.to} failed: ${state.failureReason ?? 'no reason given'}`,
        )
    }
    const wait = pollsMs[poll]
    if (wait === undefined) throw new ReportNotReady(part.kind, part.from, part.to)
    await sleep(wait, undefined, { signal })
  }
}

// The report may be gone or ready by now; the next request finds out.
async function cancel({ log }: Services, reports: Reports, reportId: string): Promise<void> {
  try {
    await reports.cancel(reportId)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    log.warn({ err: error, reportId }, 'a stuck report could not be cancelled')
  }
}
