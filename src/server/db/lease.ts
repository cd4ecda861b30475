import { randomUUID } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Log } from '../log/log.ts'
import type { Db, Tables } from './tables.ts'

/** Thrown to a worker that lost its lease. It must not touch the row, nor act on its behalf. */
export class LeaseLost extends Error {
  constructor() {
    super('another worker has taken over')
    this.name = 'LeaseLost'
  }
}

interface LeaseOptions {
  table: keyof Tables
  /** The columns that identify the row. */
  key: Readonly<Record<string, number | string>>
  /** Where the row says until when it is leased. */
  until: string
  /** The column of the holder. Without it the exact end identifies the holder, and renewals must not overlap. */
  holder?: string
  seconds: number
  /** Runs a transaction that may write the row. */
  transact: <T>(run: (tx: Db) => Promise<T>) => Promise<T>
}

/** One worker's lease on a row. A lease that has run out stays valid until another worker takes it. */
export interface Lease {
  /** Takes the lease, if the row meets the condition; false while another worker holds it. */
  take(condition?: RawBuilder<SqlBool>): Promise<boolean>
  /** Renews the lease. Throws LeaseLost. */
  renew(): Promise<void>
  /** Runs a transaction that renews the lease first, so that nothing is written once it is lost. Throws LeaseLost. */
  write<T>(run: (tx: Db) => Promise<T>): Promise<T>
  /** Renews the lease unless it certainly lasts. For calls to the outside, of which only the holder may send any. Throws LeaseLost. */
  ensure(): Promise<void>
  /** Renews the lease regularly until it is lost, the signal aborts or the returned function is called. */
  keepRenewing(log: Log, signal?: AbortSignal): () => void
  /** Gives the lease back, if it is still ours. */
  release(): Promise<void>
  /** For a where clause: the row, while the lease is ours. */
  isHeld(): RawBuilder<SqlBool>
}

/** A lease that lives in the row itself, because a lock would keep a transaction open for as long as the work takes. */
export function createLease({ table, key, until, holder, seconds, transact }: LeaseOptions): Lease {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const rowKey = sql.join(
    Object.entries(key).map(([name, value]) => sql`${column(name)} = ${value}`),
    sql` and `,
  )
  let token = holder === undefined ? '-infinity' : randomUUID()
  let certainUntil = 0
  const endNow = sql`now() + make_interval(secs => ${seconds})`
  const columns = () => ({ [until]: endNow, ...(holder !== undefined && { [holder]: sql`${token}` }) })
  const isHeld = () => {
    const fence =
      holder === undefined ? sql`${column(until)} = ${token}::timestamptz` : sql`${column(holder)} = ${token}`
    return sql<SqlBool>`${rowKey} and ${fence}`
  }
  const isFree = sql<SqlBool>`${rowKey} and (${column(until)} is null or ${column(until)} < now())`

  async function set(tx: Db, values: Record<string, RawBuilder<unknown>>, condition: RawBuilder<SqlBool>) {
    const changes = Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${value}`)
    const { rows } = await sql`update ${sql.table(table)} set ${sql.join(changes)}
      where ${condition} returning true as is_set`.execute(tx)
    return rows.length > 0
  }
  /** The exact end as text: a Date has no microseconds. */
  async function readEnd(tx: Db) {
    const { rows } = await sql<{ until: string | null }>`select ${column(until)}::text as until
      from ${sql.table(table)} where ${rowKey}`.execute(tx)
    return rows[0]?.until ?? null
  }
  /** Renews or takes the lease in a transaction. What it means for us counts only once that has committed. */
  async function hold<T>(condition: () => RawBuilder<SqlBool>, run: (tx: Db) => Promise<T>): Promise<T> {
    const began = performance.now()
    const { end, result } = await transact(async tx => {
      if (!(await set(tx, columns(), condition()))) throw new LeaseLost()
      return { end: holder === undefined ? await readEnd(tx) : null, result: await run(tx) }
    })
    token = end ?? token
    certainUntil = Math.max(certainUntil, began + seconds * 1000)
    return result
  }
  async function write<T>(run: (tx: Db) => Promise<T>): Promise<T> {
    try {
      return await hold(isHeld, run)
    } catch (error) {
      if (error instanceof LeaseLost) certainUntil = 0
      throw error
    }
  }
  const renew = () => write(async () => undefined)
  return {
    take: (condition = sql`true`) =>
      hold(
        () => sql`${isFree} and ${condition}`,
        async () => true,
      ).catch((error: unknown) => {
        if (error instanceof LeaseLost) return false
        throw error
      }),
    renew,
    write,
    ensure: async () => {
      while (performance.now() >= certainUntil) await renew()
    },
    keepRenewing: (log, signal) => {
      const stop = () => clearInterval(timer)
      const fail = (error: unknown) => {
        if (error instanceof LeaseLost) stop()
        else log.warn({ err: error, table, ...key }, 'a lease was not renewed')
      }
      // Two renewals in a row may fail before another worker can take over.
      const timer = setInterval(() => void renew().catch(fail), (seconds * 1000) / 3).unref()
      signal?.addEventListener('abort', stop)
      return stop
    },
    release: async () => {
      const empty = { [until]: sql`null`, ...(holder !== undefined && { [holder]: sql`null` }) }
      await transact(tx => set(tx, empty, isHeld()))
    },
    isHeld,
  }
}
