import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { storageFailure } from '../core/storage-errors.ts'
import { sendError } from '../core/error-wording.ts'
import type { World } from '../core/world.ts'

/** An address of a file is good for five minutes. */
const ADDRESS_MS = 5 * 60_000

/** Signs addresses of files in the store, each for one way of using it. */
export class FileSigner {
  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** An address below `folder`, good for five minutes from `now`. */
  addressOf(folder: string, id: string, method: 'GET' | 'PUT', now: number): string {
    const expires = String(now + ADDRESS_MS)
    const query = new URLSearchParams({ 'X-Amz-Expires': expires, 'X-Amz-Signature': this.sign(id, method, expires) })
    return `${this.world.config.publicUrl}/s3/${folder}/${id}?${query}`
  }

  /** False when the address was made for something else, or is too old. */
  isGood(id: string, method: string, query: Record<string, string | undefined>): boolean {
    const expires = query['X-Amz-Expires'] ?? ''
    const [given, right] = [query['X-Amz-Signature'] ?? '', this.sign(id, method, expires)].map(text =>
      Buffer.from(text),
    )
    const same = given?.length === right?.length && timingSafeEqual(given as Buffer, right as Buffer)
    return same && Number(expires) >= this.world.clock.now().getTime()
  }

  private sign(id: string, method: string, expires: string): string {
    const secret = this.world.config.sellingPartnerApp
    return createHash('sha256').update(`${method}|${id}|${expires}|${secret}`).digest('hex')
  }
}

const refuse = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  sendError(reply, storageFailure(status, code, message))

interface Store {
  signer: FileSigner
  /** The bytes of a file and the media type they are handed out with; null when there is none. */
  read: (id: string) => { bytes: Buffer; type: string } | null
  /** Absent: nothing can be put there. False when there is no such place. */
  write?: (id: string, bytes: Buffer) => boolean
}

type FileRequest = FastifyRequest<{ Params: { id: string }; Querystring: Record<string, string | undefined> }>

/** A folder of the store: files behind signed addresses, as the real one hands them out and takes them in. */
export function registerFolder(app: FastifyInstance, folder: string, { signer, read, write }: Store): void {
  const url = `/s3/${folder}/:id`
  const allowed = (request: FileRequest, reply: FastifyReply): boolean => {
    // The real store takes one way of signing only, and refuses an address that carries a token besides.
    if (request.headers.authorization) void refuse(reply, 400, 'InvalidArgument', 'Only one auth mechanism allowed')
    else if (!signer.isGood(request.params.id, request.method, request.query))
      void refuse(reply, 403, 'AccessDenied', 'Request has expired')
    else return true
    return false
  }
  app.get(url, (request: FileRequest, reply) => {
    if (!allowed(request, reply)) return reply
    const found = read(request.params.id)
    if (!found) return refuse(reply, 404, 'NoSuchKey', 'The specified key does not exist.')
    return reply.type(found.type).send(found.bytes)
  })
  if (!write) return
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.put(url, (request: FileRequest, reply) => {
      if (!allowed(request, reply)) return reply
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (!write(request.params.id, bytes)) return refuse(reply, 404, 'NoSuchKey', 'The specified key does not exist.')
      return reply.code(200).send()
    })
  })
}
