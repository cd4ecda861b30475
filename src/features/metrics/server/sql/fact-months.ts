import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/** For how many whole months facts are retained, besides the current one. */
export const retainedMonths = { daily: 24, hourly: 13 }
type Detail = keyof typeof retainedMonths

/** The tables of facts by month: a month that is too old is dropped at once. What no month holds is in `<table>_rest`. */
const tables: Record<Detail, readonly string[]> = {
  daily: [
    'campaign_day',
    'ad_group_day',
    'target_day',
    'search_term_day',
    'ad_day',
    'placement_day',
    'product_trade_day',
    'running_sum',
  ],
  hourly: ['campaign_hour'],
}
/** The tables of sums that are whole: what is too old is deleted, account by account. */
const sums: Record<Detail, readonly { table: string; lastDay: string }[]> = {
  daily: [
    { table: 'product_sum', lastDay: 'start + days - 1' },
    { table: 'search_term_sum', lastDay: 'start + days - 1' },
  ],
  hourly: [{ table: 'profile_hour', lastDay: 'date' }],
}
/** Since when an account has figures. */
const since: Record<Detail, string> = { daily: 'daily_from', hourly: 'hourly_from' }
/** A row for each day of a marketplace. */
const tradeDays = ['trade_day', 'product_trade_pull']

/** Months around the current one that are there before anything comes: a first import brings 95 days. */
const around = { before: 3, after: 2 }

/** Years times twelve plus months. */
const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
const firstOf = (month: number): string => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
const suffixOf = (month: number): string => `_${firstOf(month).slice(0, 7).replace('-', '_')}`

async function monthsOf(system: Db, table: string): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_inherits i
    join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass`.execute(system)
  return rows.flatMap(({ name }) => {
    const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? []
    return year && month ? [monthNumber(`${year}-${month}`)] : []
  })
}

/**
 * Runs a change of a table's months on its own. False when somebody uses the table for longer: nothing depends on it
 * tonight, and anyone who reads the table next would have to wait as well.
 */
async function changeMonths(system: Db, change: (tx: Db) => Promise<unknown>): Promise<boolean> {
  try {
    await system.transaction().execute(async tx => {
      await sql`select set_config('lock_timeout', '2s', true)`.execute(tx)
      await change(tx)
    })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  }
}

async function addMonths(system: Db, table: string, months: Iterable<number>): Promise<void> {
  const present = new Set(await monthsOf(system, table))
  for (const month of new Set(months))
    if (!present.has(month))
      await changeMonths(system, tx => sql`select add_month(${table}, ${firstOf(month)}::date)`.execute(tx))
}

/** Adds the months of these days, both included, to every table of facts. */
export async function addFactMonths(system: Db, { from, to }: { from: string; to: string }): Promise<void> {
  const first = monthNumber(from)
  const months = Array.from({ length: monthNumber(to) - first + 1 }, (_, n) => first + n)
  for (const table of Object.values(tables).flat()) await addMonths(system, table, months)
}

/**
 * Adds the months around a day to every table of facts, and those of what lies outside of them; drops the months, and deletes
 * the sums, that are too old. Returns the names of what it dropped.
 */
export async function turnMonths(system: Db, today: string, signal: AbortSignal): Promise<string[]> {
  const current = monthNumber(today)
  const last = current + around.after
  await addFactMonths(system, { from: firstOf(current - around.before), to: firstOf(last) })
  const dropped: string[] = []
  for (const detail of ['daily', 'hourly'] as const) {
    const oldest = current - retainedMonths[detail]
    for (const table of tables[detail]) {
      signal.throwIfAborted()
      const rest = sql.table(`${table}_rest`)
      await sql`delete from ${rest} where date < ${firstOf(oldest)}`.execute(system)
      const { rows } = await sql<{ month: string }>`select distinct to_char(date, 'YYYY-MM') as month from ${rest}
        where date < ${firstOf(last + 1)}`.execute(system)
      await addMonths(
        system,
        table,
        rows.map(({ month }) => monthNumber(month)),
      )
      for (const month of await monthsOf(system, table)) {
        const name = table + suffixOf(month)
        if (month < oldest && (await changeMonths(system, tx => sql`drop table ${sql.table(name)}`.execute(tx))))
          dropped.push(name)
      }
    }
    await deleteOldSums(system, detail, firstOf(oldest), signal)
  }
  return dropped
}

async function deleteOldSums(system: Db, detail: Detail, before: string, signal: AbortSignal): Promise<void> {
  const from = sql.ref(since[detail])
  const { rows } = await sql<{ merchantId: number; profileId: number }>`select merchant_id as "merchantId",
      profile_id as "profileId" from metrics_state where ${from} < ${before}::date`.execute(system)
  for (const { merchantId, profileId } of rows) {
    signal.throwIfAborted()
    const own = sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
    for (const { table, lastDay } of sums[detail])
      await sql`delete from ${sql.table(table)} where ${own} and ${sql.raw(lastDay)} < ${before}`.execute(system)
    await sql`update metrics_state set ${from} = ${before}::date where ${own}`.execute(system)
  }
  if (detail === 'daily')
    for (const table of tradeDays) await sql`delete from ${sql.table(table)} where date < ${before}`.execute(system)
}
