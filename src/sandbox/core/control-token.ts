import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { World } from './world.ts'

/** Name of the file in the data folder that holds the token, readable by its owner only. */
export const controlTokenFile = 'control-token'
const LEAST_LENGTH = 16

export const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
/** Compares in constant time, so that the duration reveals nothing about a guess. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

/**
 * The token of the control calls: the configured one, else the one in the data folder, else a new one. The folder, if there
 * is one, holds whichever is in force. Throws when the folder cannot be written.
 */
export function openControlToken(configured: string | undefined, folder: string | undefined): string {
  if (!folder) return configured ?? randomBytes(24).toString('base64url')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, controlTokenFile)
  const existing = existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
  const token = configured ?? (existing.length >= LEAST_LENGTH ? existing : randomBytes(24).toString('base64url'))
  writeFileSync(path, `${token}\n`, { mode: 0o600 })
  // The mode above counts for a new file only.
  chmodSync(path, 0o600)
  return token
}

/** Hook: passes requests with the control token; all others get 401. */
export function onlyWithToken(world: World) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token !== undefined && isSameSecret(token, world.config.controlToken)) return undefined
    return reply
      .code(401)
      .header('www-authenticate', 'Bearer realm="control"')
      .send({ error: 'The control calls need "Authorization: Bearer TOKEN" with the token that is printed at start.' })
  }
}

/** Guards a scope of control calls: they need the token, and what a schema rejects gets 400. */
export function guardControl(app: FastifyInstance, world: World): void {
  app.addHook('onRequest', onlyWithToken(world))
  app.setErrorHandler((error: FastifyError | z.ZodError, _request, reply) =>
    error instanceof z.ZodError ? reply.code(400).send({ error: z.prettifyError(error) }) : reply.send(error),
  )
}
