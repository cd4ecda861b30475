import { sql } from 'kysely'
import { type ExchangeRates, shippedRates } from '#shared/exchange-rates.ts'
import type { Db } from '#server/db/tables.ts'

/** The newest rates there are: the stored ones, or the shipped table where none were stored or only older ones. */
export async function currentRates(tx: Db): Promise<ExchangeRates> {
  const { rows } = await sql<{ day: string; currency: string; perEuro: number }>`
    select day, currency, per_euro as "perEuro" from exchange_rate where day = (select max(day) from exchange_rate)`.execute(
    tx,
  )
  const [first] = rows
  if (!first || first.day < shippedRates.day) return shippedRates
  return { day: first.day, perEuro: Object.fromEntries(rows.map(row => [row.currency, row.perEuro])) }
}

/** Stores the rates of a day; a day that is stored already stays as it is. */
export async function saveRates(tx: Db, { day, perEuro }: ExchangeRates): Promise<void> {
  const currencies = Object.keys(perEuro)
  await sql`insert into exchange_rate (day, currency, per_euro)
    select ${day}::date, u.* from unnest(${currencies}::text[], ${Object.values(perEuro)}::float8[]) as u
    on conflict do nothing`.execute(tx)
}
