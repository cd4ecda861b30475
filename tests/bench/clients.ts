import { type DatabaseKind, emptyDatabase, fillDatabase } from './load/bench-database.ts'
import { measureCall } from './calls.ts'
import type { Figure } from './figure.ts'
import { loggedIn } from './load/http-load.ts'
import { benchAccount, managedAccount, seedClients } from './load/seed.ts'
import { startServer } from './load/server-process.ts'

const clients = 200

/** What an agency with 200 clients waits for, and what a call costs more that a campaign manager makes for a user. */
export async function measureClients(kind: DatabaseKind): Promise<Figure[]> {
  const env = await emptyDatabase(kind)
  const { managedId, seconds } = await fillDatabase(env, 'clients', db => seedClients(db.system, clients))
  console.log(`${kind}: ${clients} clients in ${seconds.toFixed(0)} s`)
  const server = await startServer({ ...env, JOBS: 'off', ANSWERS_KEPT_MB: '0' })
  const caller = await loggedIn(server.url, benchAccount)
  const counts = { first: 10, samples: 100 }
  const list = { name: `${clients} clients`, path: () => '/clients' }
  const figures = [await measureCall(caller, list, { atMost: 150 }, counts)]
  const user = (name: string) => ({ name: `GET /user/short ${name}`, path: () => '/user/short' })
  const reader = await loggedIn(server.url, managedAccount)
  figures.push(await measureCall(reader, user('for oneself'), { atMost: 25 }, counts))
  reader.close()
  const began = await caller.post(`/admin/user-management/manage/${managedId}`, {})
  if (began.status !== 200) throw new Error(`Managing answered ${began.status}: ${began.body}`)
  figures.push(await measureCall(caller, user('for a managed user'), { atMost: 25 }, counts))
  caller.close()
  await server.stop()
  return figures
}
