import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorReply, sendError } from '../../core/error-wording.ts'
import { faultOf } from '../../core/fault-hooks.ts'
import { noSuchKey, storageFailure } from '../../core/error-wording.ts'
import type { World } from '../../core/world.ts'

/** A file that a profile ordered. Times are of the world's clock, in milliseconds. */
export interface FileOrder {
  id: string
  profileId: number
  createdAt: number
  pendingMs: number
  processingMs: number
  fate: 'normal' | 'stuck' | 'failed'
}

/** What an injected fault makes of the file that a request orders. */
export const fateOf = (request: FastifyRequest): FileOrder['fate'] =>
  faultOf(request, 'report-stuck') ? 'stuck' : faultOf(request, 'report-failed') ? 'failed' : 'normal'

const LINK_SECONDS = 3600

/** Files that are ordered, take a while, and then are behind a signed link. Orders survive restarts. */
export class FileOrders<T extends FileOrder> {
  protected readonly world: World
  protected orders = new Map<string, T>()
  private readonly name: string
  private readonly retentionMs: number
  // After a restart, as after an hour, a reader needs a new link.
  private readonly secret = randomBytes(32)

  constructor(world: World, name: string, retentionMs: number) {
    this.world = world
    this.name = name
    this.retentionMs = retentionMs
    world.registerState<T[]>(name, {
      dump: () => [...this.orders.values()],
      // Orders of an older program have no such id; their clients must order again.
      restore: orders => void (this.orders = new Map(orders.filter(({ id }) => id).map(one => [one.id, one]))),
      reset: () => this.reset(),
    })
  }

  protected reset(): void {
    this.orders.clear()
  }

  protected now(): number {
    return this.world.clock.now().getTime()
  }

  protected add(order: T): T {
    for (const old of this.orders.values())
      if (this.generatedAt(old).getTime() < this.now() - this.retentionMs) this.remove(old.id)
    this.orders.set(order.id, order)
    this.world.saveState(this.name)
    return order
  }

  /** Null when there is none, or it is too old. */
  find(id: string): T | null {
    return this.orders.get(id) ?? null
  }

  remove(id: string): void {
    this.orders.delete(id)
    this.world.saveState(this.name)
  }

  statusOf({ fate, createdAt, pendingMs, processingMs }: T): 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED' {
    const age = this.now() - createdAt
    if (fate === 'stuck' || age < pendingMs) return 'PENDING'
    if (age < pendingMs + processingMs) return 'PROCESSING'
    return fate === 'failed' ? 'FAILED' : 'COMPLETED'
  }

  /** The moment it is, or will be, done. */
  generatedAt({ createdAt, pendingMs, processingMs }: T): Date {
    return new Date(createdAt + pendingMs + processingMs)
  }

  /** An address that opens a file for an hour, in the storage's own parameters. */
  linkTo(path: string): { url: string; urlExpiresAt: string } {
    const date = this.world.clock
      .now()
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')
    const query = new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Date': date,
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Expires': String(LINK_SECONDS),
      'X-Amz-Signature': this.signatureOf(path, date, String(LINK_SECONDS)),
    })
    return {
      url: `${this.world.config.publicUrl}${path}?${query}`,
      urlExpiresAt: new Date(this.now() + LINK_SECONDS * 1000).toISOString(),
    }
  }

  /** The storage of these files: a signed link that expires, and no other credentials. `fileOf` reads the folder or name. */
  serve(app: FastifyInstance, path: string, fileOf: (params: Record<string, string>) => Promise<Buffer> | null): void {
    app.get(path, async (request, reply): Promise<FastifyReply> => {
      const refused = this.refusalOf(request)
      if (refused) return sendError(reply, refused)
      const file = fileOf(request.params as Record<string, string>)
      return file ? reply.type('application/octet-stream').send(await file) : sendError(reply, noSuchKey())
    })
  }

  private refusalOf({ url, headers, query }: FastifyRequest): ErrorReply | null {
    if (headers.authorization)
      return storageFailure(
        400,
        'InvalidArgument',
        'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
      )
    const signed = query as Record<string, string | undefined>
    const { 'X-Amz-Date': date = '', 'X-Amz-Expires': expires = '', 'X-Amz-Signature': signature = '' } = signed
    const [path = ''] = url.split('?')
    const [actual, expected] = [Buffer.from(signature), Buffer.from(this.signatureOf(path, date, expires))]
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
      return storageFailure(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.')
    const signedAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    const isExpired = this.now() > signedAt + Number(expires) * 1000
    return isExpired ? storageFailure(403, 'AccessDenied', 'Request has expired') : null
  }

  private signatureOf(path: string, date: string, expires: string): string {
    return createHmac('sha256', this.secret).update(`${path}\n${date}\n${expires}`).digest('hex')
  }
}
