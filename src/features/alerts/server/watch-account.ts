import { sql } from 'kysely'
import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import { campaignsByIds, type RunningAd, runningAds } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { servingOf } from '#shared/serving-status.ts'
import { accountDraft, applyToAccount, openCauses } from './account-alerts.ts'
import type { Tested } from './apply-alerts.ts'

/** Of an account so many ads are asked for. */
const MOST_ADS = 500
/** Whether payments work shows in any campaign that should run. */
const FEW_CAMPAIGNS = 10
const PRODUCTS_EVERY_MS = 55 * 60_000

type Draft = Tested['drafts'][number]

/**
 * Asks the marketplace what stops an account's ads, since no message says so: a payment that failed or an account without
 * money, and each hour the products that cannot be advertised. Raises and settles the alerts of both.
 */
export async function watchAccount(services: Services, profile: Profile): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const { merchantId, profileId } = profile
  const ads = await db.reading(merchantId, tx => runningAds(tx, profile, MOST_ADS))
  const isPaid = await testPayment(services, profile, ads, now)
  const { rows } = await sql<{ at: Date | null }>`select products_at as at from alert_watch
    where merchant_id = ${merchantId} and profile_id = ${profileId}`.execute(db.system)
  const isDue = isPaid && now.getTime() - (rows[0]?.at?.getTime() ?? 0) >= PRODUCTS_EVERY_MS
  if (isDue) await testProducts(services, profile, ads, now)
  await sql`insert into alert_watch as w (merchant_id, profile_id, status_at, products_at)
    values (${merchantId}, ${profileId}, ${now}, ${isDue ? now : null})
    on conflict (merchant_id, profile_id) do update
      set status_at = excluded.status_at, products_at = coalesce(excluded.products_at, w.products_at)`.execute(
    db.system,
  )
}

/** False where nothing of the account runs for want of money. */
async function testPayment(
  services: Services,
  profile: Profile,
  ads: readonly RunningAd[],
  now: Date,
): Promise<boolean> {
  const { merchantId, profileId } = profile
  const campaignIds = [...new Set(ads.map(ad => ad.campaignId))].slice(0, FEW_CAMPAIGNS)
  if (!campaignIds.length) return true
  const rows = campaignIds.map(campaignId => ({ merchantId, campaignId }))
  const ids = (await campaignsByIds(services.db.system, rows)).map(({ amazonId }) => amazonId)
  const campaigns = await adsOf(services.integrations, profile).campaigns.all({
    ids,
    states: ['ENABLED'],
    extended: true,
  })
  const status = campaigns.find(one => isOfAccount(one.servingStatus))?.servingStatus
  const drafts = status ? [paymentDraft(profile, status, now)] : []
  await applyToAccount(services, { merchantId, profileId, causes: [`payment-${profileId}`], drafts, happenedAt: now })
  return !status
}

const isOfAccount = (status: string | null): boolean =>
  status !== null && /^(ADVERTISER|ACCOUNT)_/.test(status) && servingOf(status)?.kind === 'MONEY'

function paymentDraft({ profileId, merchantName, countryCode }: Profile, status: string, now: Date): Draft {
  return accountDraft({
    kind: 'PAYMENT_PROBLEM',
    cause: `payment-${profileId}`,
    occasion: now.toISOString().slice(0, 10),
    title: `All ads of ${merchantName} (${countryCode}) are stopped`,
    body: servingOf(status)?.reason ?? '',
    url: '/connections',
    evidence: [
      { label: 'Account', format: 'text', value: `${merchantName}, ${countryCode}` },
      { label: 'Seen', format: 'time', value: now.toISOString() },
    ],
    says: status,
    endsAt: null,
  })
}

/** One alert for each product, whatever number of campaigns advertise it. */
async function testProducts(services: Services, profile: Profile, ads: readonly RunningAd[], now: Date): Promise<void> {
  const { merchantId, profileId } = profile
  const answers = ads.length
    ? await adsOf(services.integrations, profile).productAds.all({
        ids: ads.map(ad => ad.amazonId),
        states: ['ENABLED'],
        extended: true,
      })
    : []
  const statuses = new Map(answers.map(({ adId, servingStatus }) => [adId, servingStatus]))
  const drafts: Draft[] = []
  const open = await openCauses(services, ['PRODUCT_INELIGIBLE'], { merchantId, profileId })
  // What is stopped for another reason says nothing of its product; a product that nobody advertises any more needs nobody.
  const unclear = new Set<string>()
  for (const [product, own] of Map.groupBy(ads, ad => ad.asin ?? ad.sku ?? `${ad.adId}`)) {
    const cause = causeOf(profile, own)
    const stopped = own.filter(ad => servingOf(statuses.get(ad.amazonId))?.kind === 'PRODUCT')
    const status = stopped[0] && statuses.get(stopped[0].amazonId)
    if (status) drafts.push(productDraft({ product, cause, status }, stopped, ads, now))
    else if (!own.some(ad => servingOf(statuses.get(ad.amazonId))?.kind === 'RUNS')) unclear.add(cause)
  }
  const causes = open.map(one => one.cause).filter(cause => !unclear.has(cause))
  await applyToAccount(services, { merchantId, profileId, causes, drafts, happenedAt: now })
}

const causeOf = ({ marketplaceId }: Profile, [ad]: readonly RunningAd[]): string =>
  ad?.asin ? `product-${marketplaceId}-${ad.asin}` : `product-ad-${ad?.adId}`

function productDraft(
  { product, cause, status }: { product: string; cause: string; status: string },
  stopped: readonly RunningAd[],
  ads: readonly RunningAd[],
  now: Date,
): Draft {
  const campaigns = new Map(stopped.map(ad => [ad.campaignId, ad.campaignName]))
  const [campaignId] = campaigns.keys()
  const names = [...campaigns.values()]
  // Pausing the campaign would also stop its other products.
  const isAlone = campaigns.size === 1 && ads.every(ad => ad.campaignId !== campaignId || stopped.includes(ad))
  const reason = servingOf(status)?.reason ?? ''
  return accountDraft({
    kind: 'PRODUCT_INELIGIBLE',
    cause,
    occasion: now.toISOString().slice(0, 10),
    title: `${product} cannot be advertised`,
    body: `${reason} Its ads in ${names.length === 1 ? `“${names[0]}”` : `${names.length} campaigns`} are not shown.`,
    url: campaigns.size === 1 ? `/campaigns?campaign=${campaignId}` : '/inventory',
    evidence: [
      { label: 'Product', format: 'text', value: product },
      { label: 'Reason', format: 'text', value: reason },
      { label: 'Campaigns', format: 'count', value: campaigns.size },
    ],
    campaignId: campaigns.size === 1 ? (campaignId ?? null) : null,
    actions: isAlone ? ['PAUSE_CAMPAIGN'] : [],
    says: `${status} ${names.length}`,
    endsAt: null,
  })
}
