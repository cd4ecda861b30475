import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { World } from '../../core/world.ts'
import { getOrMake } from '../../market/get-or-make.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { reportingFailure } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { type FileOrder, FileOrders, fateOf } from './file-orders.ts'
import { fileEndings, reportFile } from './report-file.ts'
import { type ReportRequest, readReportRequest } from './report-request.ts'

interface Report extends FileOrder {
  request: ReportRequest
}

const DAY_MS = 86_400_000
const usualSpeed = { pendingMs: 500, processingMs: 500 }
const createMedia = 'application/vnd.createasyncreportrequest.v3+json'

function filePath({ id, createdAt, request }: Report): string {
  const ending = fileEndings[request.configuration.format] ?? ''
  return `/s3/offline-report-storage/${id}-${createdAt}/report-${id}-${createdAt}.${ending}`
}

/**
 * Reporting version 3: requests, reads and cancels reports; files are created when somebody asks for them. Answers are plain
 * `application/json`, as the real ones are.
 */
export class ReportService extends FileOrders<Report> {
  readonly calls: readonly Call[] = [
    {
      path: '/reporting/reports',
      media: { takes: [createMedia], gives: null, plain: 'never' },
      answer: ({ profile: { profileId }, today }, body, { request: http }) => {
        const request = readReportRequest(body, today)
        const duplicate = this.duplicate(profileId, request)
        if (duplicate) throw reportingFailure(425, `The Request is a duplicate of : ${duplicate.id}`)
        const order = { id: randomUUID(), profileId, request, createdAt: this.now(), ...this.speed, fate: fateOf(http) }
        return this.toWire(this.add(order))
      },
    },
    {
      method: 'GET',
      path: '/reporting/reports/:reportId',
      answer: (caller, _body, { params }) => this.toWire(this.ownReport(caller, params.reportId)),
    },
    {
      method: 'DELETE',
      path: '/reporting/reports/:reportId',
      answer: (caller, _body, { params }) => {
        const report = this.ownReport(caller, params.reportId)
        if (this.statusOf(report) !== 'PENDING')
          throw reportingFailure(400, `Report ${report.id} is not pending and cannot be deleted`)
        this.remove(report.id)
        return { code: '200', detail: 'Report deleted', reportId: report.id }
      },
    },
  ]
  /** How long reports take from now on, in the world's time. */
  speed = usualSpeed
  private readonly files = new Map<string, Promise<Buffer>>()

  constructor(world: World) {
    super(world, 'reports', 7 * DAY_MS)
  }

  registerFiles(app: FastifyInstance): void {
    this.serve(app, '/s3/offline-report-storage/:folder/:file', ({ folder = '' }) => {
      const report = this.find(folder.slice(0, 36))
      return report && this.file(report)
    })
  }

  protected override reset(): void {
    super.reset()
    this.files.clear()
    this.speed = usualSpeed
  }

  override remove(id: string): void {
    this.files.delete(id)
    super.remove(id)
  }

  private ownReport({ profile }: AdsCaller, reportId = ''): Report {
    const report = this.find(reportId)
    if (report?.profileId !== profile.profileId) throw reportingFailure(404, `Report ${reportId} was not found`)
    return report
  }

  /** A report of the profile that is not done, with the same configuration and days; undefined when there is none. */
  private duplicate(profileId: number, request: ReportRequest): Report | undefined {
    const keyOf = (one: ReportRequest): string => JSON.stringify({ ...one, name: null })
    return [...this.orders.values()].find(
      report =>
        report.profileId === profileId &&
        keyOf(report.request) === keyOf(request) &&
        ['PENDING', 'PROCESSING'].includes(this.statusOf(report)),
    )
  }

  private async toWire(report: Report): Promise<object> {
    const { name, startDate, endDate, configuration } = report.request
    const status = this.statusOf(report)
    const createdAt = new Date(report.createdAt).toISOString()
    const done = this.generatedAt(report).toISOString()
    const link = status === 'COMPLETED' ? this.linkTo(filePath(report)) : null
    return {
      configuration,
      createdAt,
      endDate,
      failureReason: status === 'FAILED' ? 'INTERNAL_ERROR' : null,
      fileSize: link ? (await this.file(report)).length : null,
      generatedAt: link ? done : null,
      name,
      reportId: report.id,
      startDate,
      status,
      updatedAt: status === 'PENDING' ? createdAt : done,
      url: null,
      urlExpiresAt: null,
      ...link,
    }
  }

  /** The file of a completed report, the same each time. */
  private file(report: Report): Promise<Buffer> {
    return getOrMake(this.files, report.id, async () => {
      const profile = this.world.store.profiles.get(report.profileId)
      if (!profile) throw new Error(`report ${report.id} is of a profile that is gone`)
      return reportFile(this.world, profile, report.request, this.generatedAt(report))
    })
  }
}
