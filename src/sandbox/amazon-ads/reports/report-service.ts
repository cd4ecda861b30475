import { randomUUID } from 'node:crypto'
import type { World } from '../../core/world.ts'
import { reportFile } from './report-file.ts'
import type { ReportRequest } from './report-request.ts'

export interface Report {
  reportId: string
  profileId: number
  request: ReportRequest
  /** Epoch milliseconds of the world. */
  createdAt: number
  pendingMs: number
  processingMs: number
  fate: 'normal' | 'stuck' | 'failed'
}

export type ReportStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'

/** Requests and creates reports. How long they take is in the world's time and can be set. */
export interface ReportService {
  speed: { pendingMs: number; processingMs: number }
  /** A report of the profile that waits with the same configuration and days; null when there is none. */
  duplicate(profileId: number, request: ReportRequest): Report | null
  open(profileId: number, request: ReportRequest, fate: Report['fate']): Report
  find(reportId: string): Report | null
  remove(reportId: string): void
  status(report: Report): ReportStatus
  /** The moment it is, or will be, done. */
  generatedAt(report: Report): Date
  /** The gzipped file of a completed report, the same each time. */
  file(report: Report): Promise<Buffer>
}

const KEPT_MS = 7 * 86_400_000

/** The world's only report service; it survives restarts, and creates files again on demand. */
export function createReportService(world: World): ReportService {
  let reports = new Map<string, Report>()
  const files = new Map<string, Promise<Buffer>>()
  const makeFile = async (report: Report): Promise<Buffer> => {
    const profile = world.store.profiles.get(report.profileId)
    if (!profile) throw new Error(`report ${report.reportId} is of a profile that is gone`)
    return reportFile(world, profile, report.request, service.generatedAt(report))
  }
  const service: ReportService = {
    speed: { pendingMs: 500, processingMs: 500 },
    duplicate(profileId, request) {
      const key = JSON.stringify({ ...request, name: null })
      for (const report of reports.values())
        if (
          report.profileId === profileId &&
          JSON.stringify({ ...report.request, name: null }) === key &&
          ['PENDING', 'PROCESSING'].includes(service.status(report))
        )
          return report
      return null
    },
    open(profileId, request, fate) {
      const now = world.clock.now().getTime()
      for (const old of reports.values()) if (old.createdAt < now - KEPT_MS) service.remove(old.reportId)
      const report: Report = { reportId: randomUUID(), profileId, request, createdAt: now, ...service.speed, fate }
      reports.set(report.reportId, report)
      world.saveState('reports')
      return report
    },
    find: reportId => reports.get(reportId) ?? null,
    remove(reportId) {
      reports.delete(reportId)
      files.delete(reportId)
      world.saveState('reports')
    },
    status(report) {
      const age = world.clock.now().getTime() - report.createdAt
      if (report.fate === 'stuck' || age < report.pendingMs) return 'PENDING'
      if (age < report.pendingMs + report.processingMs) return 'PROCESSING'
      return report.fate === 'failed' ? 'FAILED' : 'COMPLETED'
    },
    generatedAt: report => new Date(report.createdAt + report.pendingMs + report.processingMs),
    file(report) {
      let file = files.get(report.reportId)
      if (!file) files.set(report.reportId, (file = makeFile(report)))
      return file
    },
  }
  world.registerState('reports', {
    dump: () => [...reports.values()],
    restore(state: Report[]) {
      reports = new Map(state.map(report => [report.reportId, report]))
    },
    reset() {
      reports = new Map()
      files.clear()
      service.speed = { pendingMs: 500, processingMs: 500 }
    },
  })
  return service
}
