import { randomInt } from 'node:crypto'
import type { World } from '../../core/world.ts'
import { durationMs } from '../../core/world-clock.ts'
import {
  invalid,
  listOf,
  notFound,
  ok,
  type Operation,
  type SpAnswer,
  type SpRequest,
} from '../operations/operation.ts'
import { type ReportOrder, readOrder } from './report.ts'
import type { ReportDesk } from './report-service.ts'

const STATE_NAME = 'selling-partner-report-schedules'
const periods = 'PT5M PT15M PT30M PT1H PT2H PT4H PT8H PT12H P1D P2D P3D PT84H P7D P14D P15D P18D P30D P1M'.split(' ')
/** After a long sleep nobody wants every report that was missed. */
const MOST_MISSED = 50

interface Schedule {
  scheduleId: string
  region: string
  period: string
  /** When the next report is ordered, in milliseconds since the epoch. */
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

/** Orders reports again and again, each of the time since the one before. Kept over restarts. */
export class ReportSchedules {
  readonly operations: Operation[]
  private readonly world: World
  private readonly desk: ReportDesk
  private schedules = new Map<string, Schedule>()

  constructor(world: World, desk: ReportDesk) {
    this.world = world
    this.desk = desk
    const url = '/reports/2021-06-30/schedules'
    const plan = { rate: 0.0222, burst: 10 }
    const of = (answer: (request: SpRequest) => SpAnswer) => ({ ...plan, answer })
    const one = `${url}/:reportScheduleId`
    this.operations = [
      { id: 'getReportSchedules', method: 'GET', url, ...of(request => this.list(request)) },
      { id: 'createReportSchedule', method: 'POST', url, ...of(request => this.create(request)) },
      { id: 'getReportSchedule', method: 'GET', url: one, ...of(request => this.get(request)) },
      { id: 'cancelReportSchedule', method: 'DELETE', url: one, ...of(request => this.cancel(request)) },
    ]
    world.registerState<Schedule[]>(STATE_NAME, {
      dump: () => [...this.schedules.values()],
      restore: kept => {
        this.schedules = new Map(kept.map(schedule => [schedule.scheduleId, schedule]))
      },
      reset: () => this.schedules.clear(),
    })
  }

  /** Orders what has come due; called before anybody looks at reports or schedules. */
  run(): void {
    const now = this.world.clock.now().getTime()
    for (const schedule of this.schedules.values()) {
      const due: number[] = []
      for (let at = schedule.nextAt; at <= now; at = after(at, schedule.period)) due.push(at)
      const last = due.at(-1)
      if (last === undefined) continue
      for (const at of due.slice(-MOST_MISSED)) {
        const from = new Date(at - (after(at, schedule.period) - at)).toISOString()
        const order = { ...schedule.order, from, to: new Date(at).toISOString() }
        this.desk.enter(order, schedule.region, at, { fate: null, scheduleId: schedule.scheduleId })
      }
      this.set({ ...schedule, nextAt: after(last, schedule.period) })
    }
  }

  private set(schedule: Schedule): void {
    this.schedules.set(schedule.scheduleId, schedule)
    this.world.saveState(STATE_NAME)
  }

  private own({ path, seller }: SpRequest): Schedule | undefined {
    const schedule = this.schedules.get(path.reportScheduleId ?? '')
    return schedule?.order.sellerId === seller.sellerId ? schedule : undefined
  }

  /** A type in a marketplace has one schedule; a new one takes the old one's place. */
  private create(request: SpRequest): SpAnswer {
    const body = (request.body ?? {}) as { period?: unknown; nextReportCreationTime?: unknown }
    const order = readOrder(request)
    if (typeof order === 'string') return invalid(order)
    if (typeof body.period !== 'string' || !periods.includes(body.period)) return invalid('period is not valid')
    const first = body.nextReportCreationTime
    const nextAt = typeof first === 'string' ? Date.parse(first) : request.now.getTime()
    if (Number.isNaN(nextAt)) return invalid('nextReportCreationTime is not a date-time')
    const { from: _from, to: _to, ...kept } = order
    const same = (one: Schedule): boolean =>
      one.order.sellerId === kept.sellerId &&
      one.order.reportType === kept.reportType &&
      one.order.marketplaceIds.join() === kept.marketplaceIds.join()
    for (const [id, schedule] of this.schedules) if (same(schedule)) this.schedules.delete(id)
    const scheduleId = String(50_000_000_000 + randomInt(2 ** 40))
    this.set({ scheduleId, region: request.region, period: body.period, nextAt, order: kept })
    return { status: 201, body: { reportScheduleId: scheduleId } }
  }

  private list({ query, seller }: SpRequest): SpAnswer {
    this.run()
    const types = listOf(query.reportTypes)
    if (types.length === 0 || types.length > 10) return invalid('reportTypes must name 1 to 10 types')
    const own = [...this.schedules.values()].filter(
      ({ order }) => order.sellerId === seller.sellerId && types.includes(order.reportType),
    )
    return ok({ reportSchedules: own.map(wireOf) })
  }

  private get(request: SpRequest): SpAnswer {
    this.run()
    const schedule = this.own(request)
    return schedule ? ok(wireOf(schedule)) : notFound(`Report schedule ${request.path.reportScheduleId}`)
  }

  private cancel(request: SpRequest): SpAnswer {
    const schedule = this.own(request)
    if (!schedule) return notFound(`Report schedule ${request.path.reportScheduleId}`)
    this.schedules.delete(schedule.scheduleId)
    this.world.saveState(STATE_NAME)
    return { status: 200, body: null }
  }
}
