import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noSuchKey, storageFailure } from '../core/error-wording.ts'
import { sendError } from '../core/error-wording.ts'
import type { World } from '../core/world.ts'

const ADDRESS_MS = 5 * 60_000

function sign(world: World, id: string, method: string, expires: string): string {
  const secret = world.config.sellingPartnerApp
  return createHash('sha256').update(`${method}|${id}|${expires}|${secret}`).digest('hex')
}

/** An address of a file below `folder` for one method, valid for five minutes. */
export function addressOf(
  { world, now }: { world: World; now: Date },
  folder: string,
  id: string,
  method: 'GET' | 'PUT',
): string {
  const expires = String(now.getTime() + ADDRESS_MS)
  const signature = sign(world, id, method, expires)
  const query = new URLSearchParams({ 'X-Amz-Expires': expires, 'X-Amz-Signature': signature })
  return `${world.config.publicUrl}/s3/${folder}/${id}?${query}`
}

type FileRequest = FastifyRequest<{ Params: { id: string }; Querystring: Record<string, string | undefined> }>

/** False when the address was signed for something else or has expired. */
function isValid(world: World, { params, method, query }: FileRequest): boolean {
  const expires = query['X-Amz-Expires'] ?? ''
  const signature = Buffer.from(query['X-Amz-Signature'] ?? '')
  const expected = Buffer.from(sign(world, params.id, method, expires))
  const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected)
  return isSigned && Number(expires) >= world.clock.now().getTime()
}

export interface StoredFile {
  bytes: Buffer
  type: string
}

interface Folder {
  /** Null when there is no such file. */
  read: (id: string) => StoredFile | null
  /** Absent: the folder is read-only. False when there is no such file. */
  write?: (id: string, bytes: Buffer) => boolean
}

/** A folder of the file storage: files behind signed addresses, to download and upload. */
export function registerFolder(app: FastifyInstance, world: World, folder: string, { read, write }: Folder): void {
  const url = `/s3/${folder}/:id`
  const preHandler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    // Like the real storage, it rejects a signed address together with a token.
    if (request.headers.authorization)
      return sendError(reply, storageFailure(400, 'InvalidArgument', 'Only one auth mechanism allowed'))
    if (isValid(world, request as FileRequest)) return undefined
    return sendError(reply, storageFailure(403, 'AccessDenied', 'Request has expired'))
  }
  app.get(url, { preHandler }, (request: FileRequest, reply) => {
    const found = read(request.params.id)
    return found ? reply.type(found.type).send(found.bytes) : sendError(reply, noSuchKey())
  })
  if (!write) return
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.put(url, { preHandler }, (request: FileRequest, reply) => {
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      return write(request.params.id, bytes) ? reply.code(200).send() : sendError(reply, noSuchKey())
    })
  })
}
