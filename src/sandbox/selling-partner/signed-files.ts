import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { storageFailure } from '../core/storage-errors.ts'
import { sendError } from '../core/error-wording.ts'
import type { World } from '../core/world.ts'

/** An address of a file is valid for five minutes. */
const ADDRESS_MS = 5 * 60_000

/** Signs addresses of files in the file storage, each for one method. */
export class FileSigner {
  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** An address below `folder`, valid for five minutes from `now`. */
  addressOf(folder: string, id: string, method: 'GET' | 'PUT', now: number): string {
    const expires = String(now + ADDRESS_MS)
    const query = new URLSearchParams({ 'X-Amz-Expires': expires, 'X-Amz-Signature': this.sign(id, method, expires) })
    return `${this.world.config.publicUrl}/s3/${folder}/${id}?${query}`
  }

  /** False when the address was signed for something else or has expired. */
  isValid(id: string, method: string, query: Record<string, string | undefined>): boolean {
    const expires = query['X-Amz-Expires'] ?? ''
    const signature = Buffer.from(query['X-Amz-Signature'] ?? '')
    const expected = Buffer.from(this.sign(id, method, expires))
    const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected)
    return isSigned && Number(expires) >= this.world.clock.now().getTime()
  }

  private sign(id: string, method: string, expires: string): string {
    const secret = this.world.config.sellingPartnerApp
    return createHash('sha256').update(`${method}|${id}|${expires}|${secret}`).digest('hex')
  }
}

const sendFailure = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  sendError(reply, storageFailure(status, code, message))

interface Folder {
  signer: FileSigner
  /** The bytes of a file and its media type; null when there is none. */
  read: (id: string) => { bytes: Buffer; type: string } | null
  /** Absent: the folder is read-only. False when there is no such file. */
  write?: (id: string, bytes: Buffer) => boolean
}

type FileRequest = FastifyRequest<{ Params: { id: string }; Querystring: Record<string, string | undefined> }>

/** A folder of the file storage: files behind signed addresses, to download and upload. */
export function registerFolder(app: FastifyInstance, folder: string, { signer, read, write }: Folder): void {
  const url = `/s3/${folder}/:id`
  const allowed = (request: FileRequest, reply: FastifyReply): boolean => {
    // Like the real storage, it rejects a signed address together with a token.
    if (request.headers.authorization)
      void sendFailure(reply, 400, 'InvalidArgument', 'Only one auth mechanism allowed')
    else if (!signer.isValid(request.params.id, request.method, request.query))
      void sendFailure(reply, 403, 'AccessDenied', 'Request has expired')
    else return true
    return false
  }
  app.get(url, (request: FileRequest, reply) => {
    if (!allowed(request, reply)) return reply
    const found = read(request.params.id)
    if (!found) return sendFailure(reply, 404, 'NoSuchKey', 'The specified key does not exist.')
    return reply.type(found.type).send(found.bytes)
  })
  if (!write) return
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.put(url, (request: FileRequest, reply) => {
      if (!allowed(request, reply)) return reply
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (!write(request.params.id, bytes))
        return sendFailure(reply, 404, 'NoSuchKey', 'The specified key does not exist.')
      return reply.code(200).send()
    })
  })
}
