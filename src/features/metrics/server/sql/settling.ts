import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { type FigureSums, fill, measuredNames, fieldOf } from '#shared/metrics.ts'
import { fromMicros } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import {
  learnSettling,
  rangeOf,
  rangeOfDays,
  type Range,
  type Settling,
  type ShownDay,
  type Version,
} from '../../settling.ts'
import { windowOf } from './freshness.ts'
import { streamedVersionsOf, versionsOf } from './revisions.ts'

/** The range in which a figure of a day will end in nine of ten cases, in the units of `toFigures`. */
export interface Band {
  low: number
  high: number
}

/** How a day, or the sum of days, that may still change will end. ACOS is null where it may end without sales. */
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

/** Learns from an account's revisions how its days settle, in the transaction that ends a pull or what the stream sent late. */
export async function learnFromRevisions(
  tx: Db,
  account: Account & { accountType: 'seller' | 'vendor' },
  now: Date,
): Promise<void> {
  const today = dayIn(now, account.timezone)
  const from = addDays(today, -learntDays)
  const pulled = await versionsOf(tx, account, from, today)
  const versions = seenYoung(pulled, await streamedVersionsOf(tx, account, from, today))
  const settling = learnSettling(versions, adType => Number(windowOf(adType, account.accountType)))
  await sql`update metrics_state set settling = ${JSON.stringify(settling)}::jsonb
    where merchant_id = ${account.merchantId} and profile_id = ${account.profileId}`.execute(tx)
}

/** A day that no pull saw within so many hours after its end is learnt from the stream, if that has it. */
const youngHours = 12
const dayOf = ({ adType, date }: Version): string => `${adType} ${date}`

/** The versions by pulls, and those by the stream of days that were pulled too late, as those before the connection. */
function seenYoung(pulled: readonly Version[], streamed: readonly Version[]): Version[] {
  const young = new Set(pulled.filter(({ fromAge }) => fromAge < youngHours).map(dayOf))
  const instead = streamed.filter(version => !young.has(dayOf(version)))
  const days = new Set(instead.map(dayOf))
  return [...pulled.filter(version => !days.has(dayOf(version))), ...instead]
}

/**
 * The bands of those days of an account that have not settled, by day: what restated earlier days of the same age, applied
 * to these sums. The sums may be of the account or of a part of it, which is taken to have the account's mix of ad types.
 * Missing are days that have settled or are not over, and all of them while there is no history to learn from.
 */
export async function settlingBands(tx: Db, account: Account, days: readonly DaySums[]): Promise<Map<string, DayBand>> {
  const { settling, shown } = await shownDays(tx, account, days)
  const ranges = shown.map(({ date, age, parts }) => ({ date, range: settling && rangeOf(settling, age, parts) }))
  return new Map(ranges.flatMap(({ date, range }) => (range ? [[date, toBand(range)] as const] : [])))
}

/**
 * The band of the sum of such days, in which those that have settled, and one that is not over, count as they are shown.
 * Null when all of them do, and while there is no history to learn from.
 */
export async function settlingBand(tx: Db, account: Account, days: readonly DaySums[]): Promise<DayBand | null> {
  const { settling, shown } = await shownDays(tx, account, days)
  const range = settling && rangeOfDays(settling, shown)
  return range && toBand(range)
}

interface Shown {
  settling: Settling | null
  shown: (ShownDay & { date: string })[]
}

/** What is known of how an account's days settle, and how old the figures of these days are. */
async function shownDays(tx: Db, account: Account, days: readonly DaySums[]): Promise<Shown> {
  const { rows } = await sql<{ settling: Settling | null }>`${prepared}select settling from metrics_state
    where merchant_id = ${account.merchantId} and profile_id = ${account.profileId}`.execute(tx)
  const settling = rows[0]?.settling
  const ages = Object.values(settling?.adTypes ?? {}).map(({ settledAge }) => settledAge / 24)
  const last = days.reduce((latest, { date }) => (date > latest ? date : latest), '')
  // An account without figures has learnt nothing of any ad type.
  if (!settling || !last || !ages.length) return { settling: null, shown: [] }
  const versions = await versionsOf(tx, account, addDays(last, -Math.max(...ages)), last)
  const byDay = Map.groupBy(versions, version => version.date)
  const shown = days.map(day => {
    const latest = [...Map.groupBy(byDay.get(day.date) ?? [], version => version.adType).values()].map(newestOf)
    return { date: day.date, age: Math.min(...latest.map(one => one.toAge)), sums: day, parts: partsOf(day, latest) }
  })
  return { settling, shown }
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
