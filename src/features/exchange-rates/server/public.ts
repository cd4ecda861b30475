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
