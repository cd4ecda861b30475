import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { AppError } from '#shared/errors.ts'
import type { ServerOptions } from './route.ts'
import { sendProblem } from './send-problem.ts'

type Config = ServerOptions['services']['config']

/** The same for every answer but the page, so they are made once. */
export function securityHeaders({ IMAGE_HOSTS, publicUrl }: Config, scripts: string[] = []): [string, string][] {
  const headers = new Map<string, string>()
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: contentSecurity(IMAGE_HOSTS, scripts) },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: true },
    crossOriginEmbedderPolicy: false,
  })
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => undefined,
  }
  setHeaders({} as IncomingMessage, response as unknown as ServerResponse, error => {
    if (error) throw error as Error
  })
  return [...headers]
}

/**
 * The headers of the page, which allow its own scripts by their hashes: any other that got into a page is not run. Made again
 * when the page has changed, because the client may be built while the server runs.
 */
function pageHeaders(page: string, config: Config): () => [string, string][] {
  let made: { mtimeMs: number; headers: [string, string][] } | undefined
  return () => {
    const { mtimeMs } = statSync(page)
    if (made?.mtimeMs !== mtimeMs) {
      const scripts = readFileSync(page, 'utf8').matchAll(/<script>([\s\S]*?)<\/script>/g)
      const hashes = [...scripts].map(
        ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
      )
      made = { mtimeMs, headers: securityHeaders(config, hashes) }
    }
    return made.headers
  }
}

function contentSecurity(imageHosts: string[], scripts: string[]) {
  return {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", ...scripts],
    // Ionic's components bring their styles as style elements.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:', ...imageHosts],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
    objectSrc: ["'none'"],
  }
}

/** Serves the built client. Hashed assets are cached for good; a missing one is a 404, so that a broken build shows. */
export async function registerClientFiles(app: FastifyInstance, root: string, config: Config) {
  const page = join(root, 'index.html')
  if (!existsSync(page)) throw new Error(`The client is not built: ${root} has no index.html.`)
  const headersOfPage = pageHeaders(page, config)
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    cacheControl: false,
    wildcard: true,
    setHeaders: (reply, path) => {
      const immutable = /[\\/]assets[\\/]/.test(path)
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      if (path.startsWith(page)) for (const [name, value] of headersOfPage()) reply.header(name, value)
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const isPage = request.method === 'GET' && !path.startsWith('/assets/') && !/\.[a-z0-9]{2,5}$/i.test(path)
    if (isPage) return reply.status(200).sendFile('index.html')
    return sendProblem(request, reply, new AppError('NOT_FOUND', 'There is no such file.'))
  })
}
