import { durationMs } from '../../core/world-clock.ts'
import type { World } from '../../core/world.ts'
import { check, invalid, iso, ok, operation, type SpRequest } from '../operations/operation.ts'
import { SavedMap } from '../saved-map.ts'
import { newId } from './life-cycle.ts'
import { type ReportOrder, type ReportService, readOrder } from './report-service.ts'

const periods = 'PT5M PT15M PT30M PT1H PT2H PT4H PT8H PT12H P1D P2D P3D PT84H P7D P14D P15D P18D P30D P1M'.split(' ')
/** After a long pause, only this many of the missed reports are ordered. */
const MAX_MISSED = 50

interface Schedule {
  scheduleId: string
  sellerId: string
  region: string
  period: string
  /** When the next report is ordered, in epoch milliseconds. */
  nextAt: number
  order: Omit<ReportOrder, 'from' | 'to'>
}

function after(at: number, period: string): number {
  if (period !== 'P1M') return at + (durationMs(period) ?? Infinity)
  const next = new Date(at)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.getTime()
}

function wireOf({ scheduleId, period, nextAt, order }: Schedule): Record<string, unknown> {
  return {
    reportScheduleId: scheduleId,
    reportType: order.reportType,
    marketplaceIds: order.marketplaceIds,
    reportOptions: order.options,
    period,
    nextReportCreationTime: iso(nextAt),
  }
}

const url = '/reports/2021-06-30/schedules'

export class ReportSchedules {
  readonly operations = [
    operation('getReportSchedules', `GET ${url}`, 0.0222, 10, request => {
      const types = request.query.list('reportTypes')
      check(types.length > 0 && types.length <= 10, 'reportTypes must name 1 to 10 types')
      const schedules = this.schedules.ofSeller(request).filter(({ order }) => types.includes(order.reportType))
      return ok({ reportSchedules: schedules.map(wireOf) })
    }),
    operation('createReportSchedule', `POST ${url}`, 0.0222, 10, request => this.create(request)),
    operation('getReportSchedule', `GET ${url}/:reportScheduleId`, 0.0222, 10, request =>
      ok(wireOf(this.schedules.inPath(request, 'reportScheduleId', 'Report schedule'))),
    ),
    operation('cancelReportSchedule', `DELETE ${url}/:reportScheduleId`, 0.0222, 10, request => {
      const cancelled = this.schedules.inPath(request, 'reportScheduleId', 'Report schedule')
      this.schedules.deleteWhere(schedule => schedule === cancelled)
      return ok(null)
    }),
  ]
  private readonly reports: ReportService
  private readonly schedules: SavedMap<Schedule>

  constructor(world: World, reports: ReportService) {
    this.reports = reports
    this.schedules = new SavedMap(world, 'selling-partner-report-schedules', schedule => schedule.scheduleId)
  }

  /** Orders the reports that are due. Call it before reports or schedules are read. */
  orderDue(now: number): void {
    for (const schedule of this.schedules.all()) {
      const { period, order, region, scheduleId } = schedule
      const due: number[] = []
      for (let at = schedule.nextAt; at <= now; at = after(at, period)) due.push(at)
      const last = due.at(-1)
      if (last === undefined) continue
      for (const at of due.slice(-MAX_MISSED)) {
        const from = iso(at - (after(at, period) - at))
        this.reports.order({ ...order, from, to: iso(at) }, region, at, { fate: null, scheduleId })
      }
      this.schedules.set({ ...schedule, nextAt: after(last, period) })
    }
  }

  /** A report type has one schedule in a marketplace. A new one replaces it. */
  private create(request: SpRequest) {
    const { period, nextReportCreationTime: first } = (request.body ?? {}) as Record<string, unknown>
    const { from: _from, to: _to, ...order } = readOrder(request)
    if (typeof period !== 'string' || !periods.includes(period)) throw invalid('period is not valid')
    const nextAt = typeof first === 'string' ? Date.parse(first) : request.now.getTime()
    check(!Number.isNaN(nextAt), 'nextReportCreationTime is not a date-time')
    const keyOf = ({ sellerId, reportType, marketplaceIds }: Schedule['order']) =>
      [sellerId, reportType, ...marketplaceIds].join()
    this.schedules.deleteWhere(existing => keyOf(existing.order) === keyOf(order))
    const scheduleId = newId()
    this.schedules.set({ scheduleId, sellerId: order.sellerId, region: request.region, period, nextAt, order })
    return ok({ reportScheduleId: scheduleId }, 201)
  }
}
