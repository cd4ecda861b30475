import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { type FigureSums, fill, measuredNames, fieldOf } from '#shared/metrics.ts'
import { fromMicros } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { learnSettling, rangeOf, type Range, type Settling, type Version } from '../../settling.ts'
import { windowOf } from './freshness.ts'
import { versionsOf } from './revisions.ts'

/** The range in which a figure of a day will end in nine of ten cases, in the units of `toFigures`. */
export interface Band {
  low: number
  high: number
}

/** How a day that may still change will end. ACOS is null where the day may end without sales. */
export interface DayBand {
  cost: Band
  sales: Band
  orders: Band
  acos: Band | null
}

export type DaySums = FigureSums & { date: string }

/** Days of which restatement is learnt: enough to be sure, and few enough to follow what changes. */
const learntDays = 90

interface Account extends Owner {
  timezone: string
}

/** Learns from an account's revisions how its days settle, in the transaction that ends a pull. */
export async function learnFromRevisions(
  tx: Db,
  account: Account & { accountType: 'seller' | 'vendor' },
  now: Date,
): Promise<void> {
  const today = dayIn(now, account.timezone)
  const versions = await versionsOf(tx, account, addDays(today, -learntDays), today)
  const settling = learnSettling(versions, adType => Number(windowOf(adType, account.accountType)))
  await sql`update metrics_state set settling = ${JSON.stringify(settling)}::jsonb
    where merchant_id = ${account.merchantId} and profile_id = ${account.profileId}`.execute(tx)
}

/**
 * The bands of those days of an account that have not settled, by day: what restated earlier days of the same age, applied
 * to these sums. The sums may be of the account or of a part of it, which is taken to have the account's mix of ad types.
 * Missing are days that have settled or are not over, and all of them while there is no history to learn from.
 */
export async function settlingBands(tx: Db, account: Account, days: readonly DaySums[]): Promise<Map<string, DayBand>> {
  const bands = new Map<string, DayBand>()
  const { rows } = await sql<{ settling: Settling | null }>`select settling from metrics_state
    where merchant_id = ${account.merchantId} and profile_id = ${account.profileId}`.execute(tx)
  const settling = rows[0]?.settling
  const ages = Object.values(settling?.adTypes ?? {}).map(({ settledAge }) => settledAge / 24)
  const last = days.reduce((latest, { date }) => (date > latest ? date : latest), '')
  // An account without figures has learnt nothing of any ad type.
  if (!settling || !last || !ages.length) return bands
  const versions = await versionsOf(tx, account, addDays(last, -Math.max(...ages)), last)
  const byDay = Map.groupBy(versions, version => version.date)
  for (const day of days) {
    const latest = [...Map.groupBy(byDay.get(day.date) ?? [], version => version.adType).values()].map(newestOf)
    const range = rangeOf(settling, Math.min(...latest.map(version => version.toAge)), partsOf(day, latest))
    if (range) bands.set(day.date, toBand(range))
  }
  return bands
}

const newestOf = (versions: readonly Version[]): Version =>
  versions.reduce((newest, one) => (one.fromAge > newest.fromAge ? one : newest))

/** The sums by ad type, in the proportions of the account's own. */
function partsOf(day: DaySums, latest: readonly Version[]): { adType: AdType; sums: FigureSums }[] {
  const used = latest.filter(({ sums }) => sums.impressions > 0 || sums.costMicros > 0)
  return used.map(({ adType, sums }) => ({
    adType,
    sums: Object.fromEntries(
      measuredNames.map(name => {
        const field = fieldOf(name)
        const total = used.reduce((sum, one) => sum + one.sums[field], 0)
        return [field, day[field] * (total > 0 ? sums[field] / total : 1 / used.length)]
      }),
    ) as unknown as FigureSums,
  }))
}

function toBand({ cost, sales, orders, acos }: ReturnType<typeof rangeOf> & object): DayBand {
  const scaled = (range: Range, scale: (value: number) => number): Band =>
    fill(['low', 'high'], end => scale(range[end]))
  return {
    cost: scaled(cost, fromMicros),
    sales: scaled(sales, fromMicros),
    orders,
    acos: acos && scaled(acos, fraction => fraction * 100),
  }
}
