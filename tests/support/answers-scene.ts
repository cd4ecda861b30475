import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { vi } from 'vitest'
import { issueAccessToken } from '#features/auth/server/authenticate.ts'
import { insertSession } from '#features/auth/server/sql.ts'
import { recordManagedCall } from '#features/managing/server/public.ts'
import { addTestAccount, type TestAccount } from './campaign-account.ts'
import type { Services } from '#server/context.ts'
import { type Database, openServer } from '#server/db/open-database.ts'
import { createInvalidations } from '#server/db/invalidations.ts'
import { machineClock } from '#server/clock/follow-clock.ts'
import { buildServer } from '#server/http/build-server.ts'
import { routes } from '../../src/main/api.ts'
import { createAuthenticate } from '../../src/main/authenticate.ts'

/**
 * One process of the product over HTTP, with the real log-in. It has the services of the test, so that it knows of what
 * the test writes as soon as that is written; or connections of its own to a server, as one of several processes that
 * share nothing but the database, and hear of each other's writes a little later.
 */
export async function openProcess(first: Services, connections: 'shared' | 'own' = 'shared') {
  const db: Database =
    connections === 'own' && 'connectionString' in first.db.raw
      ? await openServer(first.db.raw.connectionString, { poolSize: 4 })
      : first.db
  const invalidations = db === first.db ? first.invalidations : await createInvalidations(db)
  const services = { ...first, db, invalidations }
  const authenticate = createAuthenticate(services)
  const app = await buildServer({
    services,
    routes,
    authenticate,
    recordManagedCall: call => recordManagedCall(db.system, call),
    checkResponses: true,
    version: '1.0.0',
  })
  // As many people have addresses of their own: the limit of one is not what is tested.
  const addresses = new Map<string, string>()
  const addressOf = (token: string): string => {
    const n = addresses.size
    const address = addresses.get(token) ?? `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
    addresses.set(token, address)
    return address
  }
  return {
    services,
    call: async (token: string, path: string, options: CallOptions = {}) => {
      const { method = 'GET', body, etag, ifMatch, key, managing } = options
      const isForm = body instanceof URLSearchParams
      const reply = await app.inject({
        method,
        url: `/api${path}`,
        remoteAddress: addressOf(token),
        headers: {
          authorization: `Bearer ${token}`,
          ...(etag !== undefined && { 'if-none-match': etag }),
          ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
          ...(key !== undefined && { 'idempotency-key': key }),
          ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(managing !== undefined && { 'x-managing': managing }),
        },
        ...(body && { payload: isForm ? String(body) : body }),
      })
      const text = reply.body
      return { status: reply.statusCode, etag: String(reply.headers.etag), text, json: () => JSON.parse(text) }
    },
    close: async () => {
      await app.close()
      if (db === first.db) return
      await invalidations.close()
      await db.close()
    },
  }
}
interface CallOptions {
  method?: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  /** As JSON, or as a form's fields. */
  body?: object
  etag?: string
  ifMatch?: number
  key?: string
  /** For whom the client means the call. */
  managing?: string
}
export type Process = Awaited<ReturnType<typeof openProcess>>

/** An account with a merchant and a session in force; answers its access token too. */
export async function addCaller(services: Services): Promise<TestAccount & { token: string; sessionId: string }> {
  const account = await addTestAccount(services)
  return { ...account, ...(await addSession(services, account.accountId)) }
}

/** A session of an account. */
export async function addSession(services: Services, accountId: number) {
  const sessionId = randomUUID()
  const now = services.clock.now()
  // Sessions end by the machine's clock, which may be ahead of a scene's.
  const expiresAt = new Date(Math.max(now.getTime(), machineClock(services.clock).now().getTime()) + 86_400_000)
  await insertSession(services.db.system, {
    id: sessionId,
    accountId,
    tokenHash: randomUUID(),
    now,
    expiresAt,
    userAgent: '',
  })
  await services.db.system
    .insertInto('account_role')
    .values({ account_id: accountId, role: 'OWNER', granted_at: now })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return { sessionId, token: await issueAccessToken(services, { accountId, sessionId }) }
}

/** Messages that go to the database while `work` runs, of the whole process: each is one round trip. */
export async function messagesDuring<T>(
  db: Database,
  work: () => Promise<T>,
): Promise<{ messages: number; result: T }> {
  const spy =
    db.kind === 'embedded' ? vi.spyOn(Worker.prototype, 'postMessage') : vi.spyOn(pg.Client.prototype, 'query')
  try {
    const result = await work()
    // Heartbeats come every second, however long the work takes.
    const isHeartbeat = ([query]: readonly unknown[]) => query === 'select pg_notify($1, $2)'
    return { messages: spy.mock.calls.filter(call => !isHeartbeat(call)).length, result }
  } finally {
    spy.mockRestore()
  }
}
