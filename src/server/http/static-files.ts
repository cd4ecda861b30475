import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { sendProblem } from './problem.ts'

/**
 * Serves the built client: hashed assets for ever and precompressed, everything else asked about anew. Any other page
 * address gets the shell; a missing asset is a plain 404, so that a broken build cannot hide behind the shell.
 */
export async function registerStatic(app: FastifyInstance, root: string) {
  if (!existsSync(join(root, 'index.html'))) throw new Error(`The client is not built: ${root} has no index.html.`)
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    cacheControl: false,
    wildcard: true,
    setHeaders: (reply, path) => {
      const immutable = /[\\/]assets[\\/]/.test(path)
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const page = request.method === 'GET' && !path.startsWith('/assets/') && !/\.[a-z0-9]{2,5}$/i.test(path)
    if (page) return reply.status(200).sendFile('index.html')
    return sendProblem(request, reply, new AppError('NOT_FOUND', 'There is no such file.'))
  })
}
