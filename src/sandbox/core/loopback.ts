import type { FastifyReply, FastifyRequest } from 'fastify'

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

/** Hook: lets only programs and people of this machine through; everybody else gets 403. */
export const onlyLoopback = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
  if (loopback.test(request.socket.remoteAddress ?? '')) return undefined
  return reply.code(403).send({ error: 'The control calls answer this machine only.' })
}
