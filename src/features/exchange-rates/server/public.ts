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

/**
 * The rates of a day, or of the newest day before it that has any: the bank publishes none at weekends. Before all stored
 * ones the shipped table counts, whatever its day.
 */
export async function ratesOn(tx: Db, day: string): Promise<ExchangeRates> {
  const { rows } = await sql<{ day: string; currency: string; perEuro: number }>`
    select day, currency, per_euro as "perEuro" from exchange_rate
    where day = (select max(day) from exchange_rate where day <= ${day}::date)`.execute(tx)
  const [first] = rows
  if (!first || (shippedRates.day <= day && first.day < shippedRates.day)) return shippedRates
  return { day: first.day, perEuro: Object.fromEntries(rows.map(row => [row.currency, row.perEuro])) }
}
