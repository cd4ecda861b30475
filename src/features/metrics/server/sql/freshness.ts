import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '#features/accounts/server/public.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { addDays } from '#shared/time.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'

/** How old an account's daily figures are, and from which day on they may still change. */
export interface Freshness {
  asOf: Date | null
  /** Null when nothing was imported. */
  movingFrom: string | null
  /** The last day that was imported: later ones have no figures yet. */
  importedTo: string | null
  dataVersion: number
}

/** Days after the click within which an order still counts for it: 7 for sellers, 14 for vendors. */
export const attributionDays = { seller: 7, vendor: 14 } as const

/** The attribution window of an ad type's figures: Sponsored Brands and Display have none but 14 days. */
export const windowOf = (adType: AdType, accountType: 'seller' | 'vendor'): '7' | '14' =>
  adType === 'SPONSORED_PRODUCTS' && accountType === 'seller' ? '7' : '14'

/** The stored state of an account's daily figures; the moment in ISO 8601. */
export interface FigureState {
  asOf: string | null
  to: string | null
  version: number
  /** Whether Sponsored Brands or Display are among the figures. */
  others: boolean
}

/** Brands and Display count orders of 14 days, for sellers too. */
const hasOthers = (
  merchant: RawBuilder<unknown>,
) => sql`exists (select 1 from campaign c where c.merchant_id = ${merchant}
  and c.profile_id = metrics_state.profile_id and c.ad_type <> 'SPONSORED_PRODUCTS')`

/** The state of an account's figures in one column, for a select list; null when nothing was imported. */
export function figureStateOf(owner: { merchantId: number; profileId: number }): RawBuilder<FigureState | null> {
  return sql<FigureState | null>`(select jsonb_build_object('asOf', daily_as_of, 'to', daily_to, 'version', data_version, 'others', ${hasOthers(sql`${owner.merchantId}`)})
    from metrics_state where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId})`
}

/** The states of the accounts of some merchants, by account; those without figures are missing. */
export async function figureStates(tx: Db, merchantIds: readonly number[]): Promise<Map<number, FigureState>> {
  const [only, ...others] = merchantIds
  const merchant = others.length ? sql`metrics_state.merchant_id` : sql`${only ?? null}::bigint`
  const { rows } = await sql<{ profileId: number; state: FigureState }>`select profile_id as "profileId",
      jsonb_build_object('asOf', daily_as_of, 'to', daily_to, 'version', data_version, 'others', ${hasOthers(merchant)}) as state
    from metrics_state where merchant_id = ${anyOf(merchantIds)}`.execute(tx)
  return new Map(rows.map(row => [row.profileId, row.state]))
}

/**
 * The freshness of an account's daily figures. A day may change while orders can still be attributed to its clicks. Later
 * corrections are imported too, but are too small to mark.
 */
export function freshnessOf(state: FigureState | null, accountType: 'seller' | 'vendor'): Freshness {
  return {
    asOf: state?.asOf ? new Date(state.asOf) : null,
    movingFrom: state?.to ? addDays(state.to, -attributionDays[state.others ? 'vendor' : accountType]) : null,
    importedTo: state?.to ?? null,
    dataVersion: state?.version ?? 0,
  }
}

/** The age of figures as JSON carries it. */
export const presentFreshness = ({ asOf, movingFrom }: Freshness) => ({ asOf: asOf?.toISOString() ?? null, movingFrom })

/** The freshness of an account, read on its own. */
export async function profileFreshness(
  tx: Db,
  profile: { merchantId: number; profileId: number; accountType: 'seller' | 'vendor' },
): Promise<Freshness> {
  const { rows } = await sql<{
    state: FigureState | null
  }>`${prepared}select ${figureStateOf(profile)} as state`.execute(tx)
  return freshnessOf(rows[0]?.state ?? null, profile.accountType)
}

/**
 * How old the total sales of a range are: as the last report over a range, or as the oldest of the days that this report
 * marked as changed and that are not imported again yet. Null when none was imported.
 */
export async function tradeAsOf(
  tx: Db,
  { merchantId, profileId, marketplaceId }: { merchantId: number; profileId: number; marketplaceId: number },
  from: string,
  to: string,
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`${prepared}select least(
      (select trade_as_of from metrics_state where merchant_id = ${merchantId} and profile_id = ${profileId}),
      (select min(pulled_at) from product_trade_pull where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId}
        and date between ${from} and ${to} and stale)) as at`.execute(tx)
  return rows[0]?.at ?? null
}
