import { randomUUID } from 'node:crypto'
import type { World } from '../../core/world.ts'
import { type FileOrder, FileOrders } from './file-orders.ts'
import { reportFile } from './report-file.ts'
import type { ReportRequest } from './report-request.ts'
import { getOrMake } from '../../market/get-or-make.ts'

export interface Report extends FileOrder {
  request: ReportRequest
}

const DAY_MS = 86_400_000
const usualSpeed = { pendingMs: 500, processingMs: 500 }

/** Requests and creates reports; files are created when somebody asks for them. */
export class ReportService extends FileOrders<Report> {
  /** How long reports take from now on, in the world's time. */
  speed = usualSpeed
  private readonly files = new Map<string, Promise<Buffer>>()

  constructor(world: World) {
    super(world, 'reports', 7 * DAY_MS)
  }

  protected override reset(): void {
    super.reset()
    this.files.clear()
    this.speed = usualSpeed
  }

  /** A report of the profile that is not done, with the same configuration and days; undefined when there is none. */
  duplicate(profileId: number, request: ReportRequest): Report | undefined {
    const keyOf = (one: ReportRequest): string => JSON.stringify({ ...one, name: null })
    return [...this.orders.values()].find(
      report =>
        report.profileId === profileId &&
        keyOf(report.request) === keyOf(request) &&
        ['PENDING', 'PROCESSING'].includes(this.statusOf(report)),
    )
  }

  open(profileId: number, request: ReportRequest, fate: Report['fate']): Report {
    return this.add({ id: randomUUID(), profileId, request, createdAt: this.now(), ...this.speed, fate })
  }

  override remove(id: string): void {
    this.files.delete(id)
    super.remove(id)
  }

  /** The file of a completed report, the same each time. */
  file(report: Report): Promise<Buffer> {
    return getOrMake(this.files, report.id, () => this.makeFile(report))
  }

  private async makeFile(report: Report): Promise<Buffer> {
    const profile = this.world.store.profiles.get(report.profileId)
    if (!profile) throw new Error(`report ${report.id} is of a profile that is gone`)
    return reportFile(this.world, profile, report.request, this.generatedAt(report))
  }
}
