import { randomInt } from 'node:crypto'
import { durationMs } from '../../core/world-clock.ts'
import type { World } from '../../core/world.ts'
import {
  check,
  invalid,
  notFound,
  ok,
  type Operation,
  operation,
  type SpAnswer,
  type SpRequest,
} from '../operations/operation.ts'
import { listOf } from '../operations/read-request.ts'
import { SavedMap } from '../saved-map.ts'
import { type ReportOrder, readOrder } from './report.ts'
import type { ReportService } from './report-service.ts'

const periods = 'PT5M PT15M PT30M PT1H PT2H PT4H PT8H PT12H P1D P2D P3D PT84H P7D P14D P15D P18D P30D P1M'.split(' ')
/** After a long pause, only this many of the missed reports are ordered. */
const MAX_MISSED = 50

interface Schedule {
  scheduleId: string
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
    nextReportCreationTime: new Date(nextAt).toISOString(),
  }
}

const url = '/reports/2021-06-30/schedules'

/** Orders reports periodically, each for the time since the previous one. */
export class ReportSchedules {
  readonly operations: Operation[] = [
    operation('getReportSchedules', `GET ${url}`, 0.0222, 10, request => this.list(request)),
    operation('createReportSchedule', `POST ${url}`, 0.0222, 10, request => this.create(request)),
    operation('getReportSchedule', `GET ${url}/:reportScheduleId`, 0.0222, 10, request => {
      this.orderDue()
      return ok(wireOf(this.scheduleOf(request)))
    }),
    operation('cancelReportSchedule', `DELETE ${url}/:reportScheduleId`, 0.0222, 10, request => {
      const cancelled = this.scheduleOf(request)
      this.schedules.deleteWhere(schedule => schedule === cancelled)
      return { status: 200, body: null }
    }),
  ]
  private readonly world: World
  private readonly reports: ReportService
  private readonly schedules: SavedMap<Schedule>

  constructor(world: World, reports: ReportService) {
    this.world = world
    this.reports = reports
    this.schedules = new SavedMap(world, 'selling-partner-report-schedules', schedule => schedule.scheduleId)
  }

  /** Orders the reports that are due. Call it before reports or schedules are read. */
  orderDue(): void {
    const now = this.world.clock.now().getTime()
    for (const schedule of this.schedules.all()) {
      const due: number[] = []
      for (let at = schedule.nextAt; at <= now; at = after(at, schedule.period)) due.push(at)
      const last = due.at(-1)
      if (last === undefined) continue
      for (const at of due.slice(-MAX_MISSED)) {
        const from = new Date(at - (after(at, schedule.period) - at)).toISOString()
        const order = { ...schedule.order, from, to: new Date(at).toISOString() }
        this.reports.order(order, schedule.region, at, { fate: null, scheduleId: schedule.scheduleId })
      }
      this.schedules.set({ ...schedule, nextAt: after(last, schedule.period) })
    }
  }

  private scheduleOf({ path, seller }: SpRequest): Schedule {
    const schedule = this.schedules.get(path.reportScheduleId)
    if (schedule?.order.sellerId !== seller.sellerId) throw notFound(`Report schedule ${path.reportScheduleId}`)
    return schedule
  }

  /** A report type has one schedule in a marketplace. A new one replaces it. */
  private create(request: SpRequest): SpAnswer {
    const { period, nextReportCreationTime: first } = (request.body ?? {}) as Record<string, unknown>
    const { from: _from, to: _to, ...order } = readOrder(request)
    if (typeof period !== 'string' || !periods.includes(period)) throw invalid('period is not valid')
    const nextAt = typeof first === 'string' ? Date.parse(first) : request.now.getTime()
    check(!Number.isNaN(nextAt), 'nextReportCreationTime is not a date-time')
    this.schedules.deleteWhere(
      ({ order: existing }) =>
        existing.sellerId === order.sellerId &&
        existing.reportType === order.reportType &&
        existing.marketplaceIds.join() === order.marketplaceIds.join(),
    )
    const scheduleId = String(50_000_000_000 + randomInt(2 ** 40))
    this.schedules.set({ scheduleId, region: request.region, period, nextAt, order })
    return { status: 201, body: { reportScheduleId: scheduleId } }
  }

  private list({ query, seller }: SpRequest): SpAnswer {
    this.orderDue()
    const types = listOf(query.reportTypes)
    check(types.length > 0 && types.length <= 10, 'reportTypes must name 1 to 10 types')
    const schedules = this.schedules
      .all()
      .filter(({ order }) => order.sellerId === seller.sellerId && types.includes(order.reportType))
    return ok({ reportSchedules: schedules.map(wireOf) })
  }
}
