import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Micros } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { CampaignRule } from '#integrations/amazon-ads/index.ts'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { ChangeKind, GroupState, Strategy } from '../contract.ts'
import type { Fit } from '../engine/facts.ts'
import type { Memory, Settings } from '../engine/settings.ts'

/** What the seller set, as it is stored; `targetAcos` as a fraction. */
export interface GroupSettings {
  targetAcos: number
  strategy: Strategy
  highestBidMicros: Micros | null
  budgetMicros: Micros
  /** The first day of the launch; absent: that of the take-over. */
  launchFrom?: string | null
  launchUntil: string | null
  launchBudgetMicros: Micros | null
  untouched: string[]
}

/** By ad group: the profile's day of the answer, and the high end of the suggestion by target, in micros. */
export type SuggestedHighs = Record<string, { on: string; highs: Record<string, Micros> }>

export interface Group extends Owner {
  id: number
  name: string
  state: GroupState
  settings: GroupSettings
  asks: ChangeKind[]
  asksUntil: string | null
  taught: ChangeKind[]
  memory: Memory
  /** Of the marketplace, as they were read last. */
  rules: readonly CampaignRule[] | null
  /** What the engine assumes instead of the usual; and the first day of the month in which that was last looked at. */
  /** What the marketplace suggested to bid, by ad group. */
  suggested: SuggestedHighs | null
  fit: Fit | null
  fitMonth: string | null
  accountId: number | null
  takenOverAt: Date
  shadowUntil: Date
  startedAt: Date | null
  stoppedAt: Date | null
  campaignIds: number[]
}

const columns = (
  merchantId: number,
) => sql`g.merchant_id as "merchantId", g.profile_id as "profileId", g.id, g.name, g.state, g.settings, g.asks,
  g.asks_until as "asksUntil", g.taught, g.memory, g.rules, g.suggested, g.fit,
  g.fit_month as "fitMonth", g.account_id as "accountId", g.taken_over_at as "takenOverAt",
  g.shadow_until as "shadowUntil", g.started_at as "startedAt", g.stopped_at as "stoppedAt",
  array(select c.campaign_id from optimizer_campaign c where c.merchant_id = ${merchantId} and c.group_id = g.id
    and (c.left_at is null or c.left_at = g.stopped_at) order by c.campaign_id)::bigint[] as "campaignIds"`

/** The groups of an account, those that work first, the newest first. */
export async function readGroups(tx: Db, { merchantId, profileId }: Owner): Promise<Group[]> {
  const { rows } = await sql<Group>`select ${columns(merchantId)} from optimizer_group g
    where g.merchant_id = ${merchantId} and g.profile_id = ${profileId}
    order by g.state = 'STOPPED', g.id desc limit 200`.execute(tx)
  return rows.map(withNumbers)
}

/** One group of an account; with `lock` nobody else changes it before the transaction ends. Throws NOT_FOUND. */
export async function readGroup(
  tx: Db,
  { merchantId, profileId }: Owner,
  id: number,
  { lock }: { lock: boolean } = { lock: false },
): Promise<Group> {
  const { rows } =
    await sql<Group>`select ${columns(merchantId)} from optimizer_group g where g.merchant_id = ${merchantId}
    and g.profile_id = ${profileId} and g.id = ${id} ${lock ? sql`for update of g` : sql``}`.execute(tx)
  const [row] = rows
  if (!row) throw noGroup()
  return withNumbers(row)
}

// Elements of an array arrive as they are written.
const withNumbers = (group: Group): Group => ({ ...group, campaignIds: group.campaignIds.map(Number) })

export const noGroup = () => new AppError('NOT_FOUND', 'There is no such group.')

/** Of all merchants: the groups that are not stopped. For jobs only. */
export async function workingGroups(
  system: Db,
  account?: Owner,
): Promise<(Owner & { groupId: number; timezone: string })[]> {
  const which = account ? sql`g.merchant_id = ${account.merchantId} and g.profile_id = ${account.profileId}` : sql`true`
  const { rows } = await sql<Owner & { groupId: number; timezone: string }>`select g.merchant_id as "merchantId",
      g.profile_id as "profileId", g.id as "groupId", p.timezone
    from optimizer_group g join ads_profile p on p.merchant_id = g.merchant_id and p.id = g.profile_id
    where g.state <> 'STOPPED' and ${which} order by g.merchant_id, g.id`.execute(system)
  return rows
}

export const newGroupAsks: readonly ChangeKind[] = ['harvest', 'negative', 'budget']
const newGroupDays = 14

/** Until when a group of this moment asks because it is new. */
export const asksUntilOf = (at: Date, { timezone }: Pick<Profile, 'timezone'>): string =>
  addDays(dayIn(at, timezone), newGroupDays)

/** The kinds of changes that are proposed on a day. */
export const asksOn = ({ asks, asksUntil, taught }: Group, day: string): ChangeKind[] => [
  ...new Set([...(asksUntil === null || day < asksUntil ? asks : []), ...taught]),
]

/** What the engine gets of the settings. */
export function engineSettings({ settings, takenOverAt }: Group, { timezone }: Pick<Profile, 'timezone'>): Settings {
  const { targetAcos, strategy, highestBidMicros, budgetMicros, untouched } = settings
  const { launchUntil, launchBudgetMicros } = settings
  const launch =
    strategy === 'LAUNCH' && launchUntil !== null && launchBudgetMicros !== null
      ? {
          from: settings.launchFrom ?? dayIn(takenOverAt, timezone),
          until: launchUntil,
          budgetMicros: launchBudgetMicros,
        }
      : null
  return { targetAcos, strategy, highestBidMicros, budgetMicros, untouched, launch }
}

export async function saveMemory(tx: Db, { merchantId, id }: Group, memory: Memory): Promise<void> {
  await sql`update optimizer_group set memory = ${JSON.stringify(memory)}::jsonb
    where merchant_id = ${merchantId} and id = ${id}`.execute(tx)
}
