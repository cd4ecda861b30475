import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { faultOf } from '../../core/fault-hooks.ts'
import { sendError, type ErrorReply, type ErrorWording } from '../../core/error-wording.ts'
import type { World } from '../../core/world.ts'
import type { StreamService } from './stream-service.ts'

const receiveBody = z.object({
  MaxNumberOfMessages: z.int().min(1).max(10).default(1),
  WaitTimeSeconds: z.int().min(0).max(20).default(0),
  VisibilityTimeout: z.int().min(0).max(43_200).default(30),
})
const sendBody = z.object({ MessageBody: z.string().min(1).max(262_144) })
const deleteBody = z.object({ ReceiptHandle: z.string() })
const deleteBatchBody = z.object({
  Entries: z
    .array(z.object({ Id: z.string(), ReceiptHandle: z.string() }))
    .min(1)
    .max(10),
})

const LOOK_AGAIN_MS = 250

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

function queueError(status: number, type: string, message: string): ErrorReply {
  return {
    status,
    body: { __type: `com.amazonaws.sqs#${type}`, message },
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() },
  }
}
const denied = (): ErrorReply => queueError(403, 'AccessDeniedException', 'Access to the resource is denied.')
const wording: ErrorWording = {
  throttled: () => queueError(400, 'RequestThrottled', 'Rate exceeded'),
  failed(_request, status) {
    if (status === 403) return denied()
    return status < 500
      ? queueError(status, 'InvalidParameterValue', 'The request is invalid.')
      : queueError(status, 'InternalFailure', 'The request processing has failed.')
  },
  expiredToken: () => queueError(403, 'ExpiredTokenException', 'The security token included in the request is expired'),
  revokedGrant: denied,
}

async function receive(world: World, service: StreamService, request: FastifyRequest, body: unknown): Promise<object> {
  const { MaxNumberOfMessages, WaitTimeSeconds, VisibilityTimeout } = receiveBody.parse(body)
  const until = Date.now() + WaitTimeSeconds * 1000
  for (;;) {
    const now = world.clock.now().getTime()
    const found = service.queue.receive(MaxNumberOfMessages, VisibilityTimeout * 1000, now)
    if (found.length === 0 && service.deliverNext()) continue
    if (found.length === 0 && Date.now() < until && !request.raw.socket.destroyed) {
      await wait(LOOK_AGAIN_MS, undefined, { ref: false })
      continue
    }
    if (faultOf(request, 'duplicate-delivery'))
      for (const message of found) service.queue.put(message.body, message.from, now)
    if (faultOf(request, 'out-of-order')) found.reverse()
    // Signed only now: signing a month's messages at once would block every request.
    const Messages = await Promise.all(
      found.map(async ({ messageId, receipt, body, from }) => {
        const Body = from === 'topic' ? await service.signer.seal(body) : body
        return { MessageId: messageId, ReceiptHandle: receipt, MD5OfBody: md5(Body), Body }
      }),
    )
    return Messages.length > 0 ? { Messages } : {}
  }
}

function removeBatch(service: StreamService, body: unknown): object {
  const { Entries } = deleteBatchBody.parse(body)
  const invalid = { SenderFault: true, Code: 'ReceiptHandleIsInvalid', Message: 'The receipt handle is invalid.' }
  const removed = Entries.map(({ Id, ReceiptHandle }) => ({ Id, ok: service.queue.remove(ReceiptHandle) }))
  return {
    Successful: removed.filter(({ ok }) => ok).map(({ Id }) => ({ Id })),
    Failed: removed.filter(({ ok }) => !ok).map(({ Id }) => ({ Id, ...invalid })),
  }
}

type Action = (request: FastifyRequest, body: unknown) => Promise<object> | object

function actionsOf(world: World, service: StreamService): Record<string, Action> {
  return {
    SendMessage(_request, body) {
      const { MessageBody } = sendBody.parse(body)
      const MessageId = service.queue.put(MessageBody, 'stranger', world.clock.now().getTime())
      world.saveState('stream')
      return { MessageId, MD5OfMessageBody: md5(MessageBody) }
    },
    ReceiveMessage: (request, body) => receive(world, service, request, body),
    DeleteMessage(_request, body) {
      service.queue.remove(deleteBody.parse(body).ReceiptHandle)
      return {}
    },
    DeleteMessageBatch: (_request, body) => removeBatch(service, body),
    GetQueueAttributes: () => ({ Attributes: { ApproximateNumberOfMessages: String(service.queue.size) } }),
  }
}

/**
 * The queue of the stream in the JSON protocol of Amazon SQS (`X-Amz-Target: AmazonSQS.ReceiveMessage` and so on), at
 * `/sqs` and at `/`, where clients of that protocol post whatever the queue's address. There is one queue.
 */
export function registerQueue(app: FastifyInstance, world: World, service: StreamService): void {
  world.errorWordings.set('sqs', wording)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.setErrorHandler((error: { statusCode?: number }, request, reply) =>
    sendError(reply, wording.failed(request, error.statusCode ?? 500)),
  )
  const actions = actionsOf(world, service)
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const target = String(request.headers['x-amz-target'] ?? '')
    const action = actions[target.replace(/^AmazonSQS\./, '')]
    if (!action) return sendError(reply, queueError(400, 'InvalidAction', `Unknown action ${target}`))
    void reply.header('x-amzn-requestid', randomUUID()).type('application/x-amz-json-1.0')
    try {
      const body = JSON.parse(typeof request.body === 'string' ? request.body || '{}' : '{}') as unknown
      return await reply.send(JSON.stringify(await action(request, body)))
    } catch (error) {
      if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) throw error
      return sendError(reply, queueError(400, 'InvalidParameterValue', error.message))
    }
  }
  app.post('/', answer)
  app.post('/sqs', answer)

  app.get('/sqs/:certificate', async (request, reply) => {
    const pem = await service.signer.certificate((request.params as { certificate: string }).certificate)
    return pem === null ? reply.code(404).send() : reply.type('application/x-pem-file').send(pem)
  })
  app.get('/sqs/confirm', (request, reply) => {
    const { Token = '' } = request.query as { Token?: string }
    void reply.type('text/xml')
    return service.confirm(Token)
      ? reply.send('<ConfirmSubscriptionResponse><ConfirmSubscriptionResult/></ConfirmSubscriptionResponse>')
      : reply.code(404).send('<ErrorResponse><Error><Code>NotFound</Code></Error></ErrorResponse>')
  })
}
