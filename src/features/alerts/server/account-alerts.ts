import { sql } from 'kysely'
import { lostConnections, profileById } from '#features/accounts/server/public.ts'
import { endingTrials } from '#features/subscription/server/public.ts'
import type { Services } from '#server/context.ts'
import { alertRows, applyAlerts, type Tested } from './apply-alerts.ts'
import type { AlertDraft } from './rules/facts.ts'
import { text } from '#shared/reader-text.ts'

const DAY_MS = 86_400_000
const trialWarning = { daysBefore: 3, daysAfter: 3 }

type Draft = Tested['drafts'][number]

/** What all alerts of an account share unless they say otherwise. */
export const accountDraft = (
  draft: Omit<AlertDraft, 'strength' | 'stakeMicros' | 'actions'> & Partial<Draft>,
): Draft => ({
  strength: 1,
  stakeMicros: null,
  actions: [],
  campaignId: null,
  ...draft,
})

/** Raises and settles what was tested of an account or a merchant. */
export async function applyToAccount(
  services: Services,
  tested: Omit<Tested, 'currency'> & { currency?: string | null },
): Promise<void> {
  const causes = [...new Set([...tested.causes, ...tested.drafts.map(draft => draft.cause)])]
  const { merchantId } = tested
  const rows = await alertRows(
    services.db.system,
    causes.map(cause => ({ merchantId, cause })),
    services.clock.now(),
  )
  await applyAlerts(services, { currency: null, ...tested }, rows)
}

/** The causes that are open of a kind, by merchant; of one account when it is named. */
export async function openCauses(
  { db }: Pick<Services, 'db'>,
  kinds: readonly string[],
  account?: { merchantId: number; profileId: number },
): Promise<{ merchantId: number; cause: string; campaignId: number | null; profileId: number | null }[]> {
  const { rows } = await sql<{
    merchantId: number
    cause: string
    campaignId: number | null
    profileId: number | null
  }>`
    select merchant_id as "merchantId", cause, campaign_id as "campaignId", profile_id as "profileId" from alert
    where settled_at is null and kind = any(${kinds}::text[])
      ${account ? sql`and merchant_id = ${account.merchantId} and profile_id = ${account.profileId}` : sql``}`.execute(
    db.system,
  )
  return rows
}

/** Raises an alert for each connection whose permission was revoked, and settles those that work again or are gone. */
export async function testConnections(services: Services): Promise<void> {
  const lost = await lostConnections(services.db.system)
  const open = await openCauses(services, ['CONNECTION_LOST'])
  const merchantIds = new Set([...lost, ...open].map(one => one.merchantId))
  for (const merchantId of merchantIds) {
    const own = lost.filter(one => one.merchantId === merchantId)
    const causes = open.filter(one => one.merchantId === merchantId).map(one => one.cause)
    const happenedAt = new Date(Math.max(0, ...own.map(({ lostAt }) => lostAt?.getTime() ?? 0)) || services.clock.now())
    await applyToAccount(services, { merchantId, profileId: null, causes, drafts: own.map(lostDraft), happenedAt })
  }
}

type Lost = Awaited<ReturnType<typeof lostConnections>>[number]

function lostDraft({ id, kind, lostAt, merchantName }: Lost): Draft {
  const isAds = kind === 'AMAZON_ADS'
  return accountDraft({
    kind: 'CONNECTION_LOST',
    // Only without the advertising API nothing is known of campaigns any more.
    cause: `${isAds ? 'connection' : 'seller'}-${id}`,
    occasion: lostAt?.toISOString() ?? 'lost',
    title: `${merchantName} is no longer connected`,
    body: isAds
      ? 'The marketplace no longer accepts our permission: campaigns can be neither watched nor changed here until you connect again. They keep running there.'
      : 'The marketplace no longer accepts our permission: products, stock and total sales are not updated until you connect again.',
    url: '/connections',
    evidence: [
      { label: 'Connection', format: 'text', value: isAds ? 'Advertising account' : 'Seller account' },
      ...(lostAt ? [{ label: 'Lost', format: 'time' as const, value: lostAt.toISOString() }] : []),
    ],
    says: kind,
    endsAt: null,
  })
}

/** Notifies the payer three days before a trial ends, and when it has. */
export async function testTrials(services: Services): Promise<void> {
  const now = services.clock.now()
  const from = new Date(now.getTime() - trialWarning.daysAfter * DAY_MS)
  const to = new Date(now.getTime() + trialWarning.daysBefore * DAY_MS)
  for (const { accountId, merchantId, endsAt } of await endingTrials(services.db.system, from, to)) {
    const hasEnded = endsAt <= now
    const day = { day: endsAt.toISOString() }
    const draft = accountDraft({
      kind: 'TRIAL_ENDING',
      accountId,
      cause: `trial-${accountId}`,
      occasion: `${hasEnded ? 'ended' : 'soon'}-${endsAt.toISOString().slice(0, 10)}`,
      title: hasEnded ? 'Your trial has ended' : text`Your trial ends on ${day}`,
      body: hasEnded
        ? 'Choose a plan to see and change your campaigns here again. They keep running at the marketplace.'
        : 'Choose a plan to keep watching and changing your campaigns here.',
      url: '/subscription',
      evidence: [{ label: hasEnded ? 'Ended' : 'Ends', format: 'time', value: endsAt.toISOString() }],
      says: hasEnded ? 'ended' : 'soon',
      endsAt: new Date(endsAt.getTime() + trialWarning.daysAfter * DAY_MS),
    })
    await applyToAccount(services, { merchantId, profileId: null, causes: [], drafts: [draft], happenedAt: now })
  }
}

/** Announces that the first import of an account is complete. */
export async function announceSeeded(
  services: Services,
  owner: { merchantId: number; profileId: number },
): Promise<void> {
  const now = services.clock.now()
  const { merchantId, profileId } = owner
  const profile = await services.db.reading(merchantId, tx => profileById(tx, merchantId, profileId))
  const draft = accountDraft({
    kind: 'SEEDING_FINISHED',
    cause: `seeding-${profileId}`,
    occasion: 'finished',
    title: `The figures of ${profile.merchantName} (${profile.countryCode}) are here`,
    body: `Campaigns, products and the figures of ${profile.countryCode} are imported. From now on they are kept up to date.`,
    url: '/home',
    evidence: [],
    says: 'finished',
    endsAt: null,
  })
  await applyToAccount(services, { merchantId, profileId, causes: [], drafts: [draft], happenedAt: now })
}
