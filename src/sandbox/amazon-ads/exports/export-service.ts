import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { World } from '../../core/world.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { type ExportFilters, type ExportKind, isKept } from './export-request.ts'
import { createModelContext } from './models/export-context.ts'

const compress = promisify(gzip)

export interface Export {
  exportId: string
  profileId: number
  /** Media type of its kind. */
  media: string
  folder: string
  /** Epoch milliseconds of the world. */
  createdAt: number
  readyAt: number
  fate: 'normal' | 'stuck' | 'failed'
  /** The gzipped file in base 64: the structure when the export was requested. */
  file: string
}

export type ExportStatus = 'PROCESSING' | 'COMPLETED' | 'FAILED'

const TAKES_MS = 1000
/** Links are available for a day after completion. */
const KEPT_MS = 24 * 3_600_000

/** Exports of the structure as it was when they were requested. They survive restarts. */
export class ExportService {
  private readonly world: World
  private exports = new Map<string, Export>()

  constructor(world: World) {
    this.world = world
    world.registerState<Export[]>('exports', {
      dump: () => [...this.exports.values()],
      restore: exports => this.restore(exports),
      reset: () => this.restore([]),
    })
  }

  async open(caller: AdsCaller, kind: ExportKind, filters: ExportFilters, fate: Export['fate']): Promise<Export> {
    const now = this.now()
    for (const old of this.exports.values()) if (old.readyAt < now - KEPT_MS) this.exports.delete(old.exportId)
    const models = kind.models(createModelContext(caller)).filter(model => isKept(model, filters))
    const opened: Export = {
      exportId: Buffer.from(`${randomUUID()},${kind.letter}`).toString('base64url'),
      profileId: caller.profile.profileId,
      media: kind.media,
      folder: kind.folder,
      createdAt: now,
      readyAt: now + TAKES_MS,
      fate,
      file: (await compress(JSON.stringify(models))).toString('base64'),
    }
    this.exports.set(opened.exportId, opened)
    this.world.saveState('exports')
    return opened
  }

  /** Null when there is none, or it is too old. */
  find(exportId: string): Export | null {
    const found = this.exports.get(exportId)
    return found && this.now() <= found.readyAt + KEPT_MS ? found : null
  }

  status({ fate, readyAt }: Export): ExportStatus {
    if (fate === 'stuck' || this.now() < readyAt) return 'PROCESSING'
    return fate === 'failed' ? 'FAILED' : 'COMPLETED'
  }

  private now(): number {
    return this.world.clock.now().getTime()
  }

  private restore(exports: readonly Export[]): void {
    this.exports = new Map(exports.map(one => [one.exportId, one]))
  }
}
