import { type RawBuilder, sql } from 'kysely'
import { importedTradeDays, productSums } from '#features/metrics/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { addDays } from '#shared/time.ts'
import type { Shop } from './costs/cost-rows.ts'

const paceDays = 14
// A mean of fewer days would follow a single sale.
const fewestDays = 7

/** How fast products sell: a subquery of the units of each `asin` (`total_units`), of some or all, and the days that these are of. */
export interface Pace {
  units(asins?: readonly string[]): RawBuilder<unknown>
  days: number
}

/**
 * The pace of the 14 days up to and with `lastDay`, which should be over. Null while the sales by product of most of these
 * days are missing. Days without an import do not count, rather than count as days without sales.
 */
export async function salesPace(tx: Db, account: Shop & { profileId: number }, lastDay: string): Promise<Pace | null> {
  const span = { from: addDays(lastDay, 1 - paceDays), to: lastDay }
  const days = await importedTradeDays(tx, account, span)
  return days < fewestDays ? null : { units: asins => productSums(account, [span], asins), days }
}

/** For how many days the stock of a row `k` lasts at the pace of a row `w`; null when nothing was sold. */
export const coverOf = (pace: Pace | null): RawBuilder<unknown> =>
  pace ? sql`k.available / nullif(w.total_units / ${pace.days}::float8, 0)` : sql`null::float8`

/** Joins the pace as `w` with rows that have an `asin`, of which all may be listed in `asins`. */
export const joinPace = (
  pace: Pace | null,
  asin: RawBuilder<unknown>,
  asins?: readonly string[],
): RawBuilder<unknown> => (pace ? sql`left join ${pace.units(asins)} w on w.asin = ${asin}` : sql``)
