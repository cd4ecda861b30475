import { sql } from 'kysely'
import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import { productDays, profileDays, shareBefore } from '#features/metrics/server/public.ts'
import { campaignsByIds, type RunningAd, runningAds } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { servingOf } from '#shared/serving-status.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import { accountDraft, applyToAccount, openCauses } from './account-alerts.ts'
import type { Tested } from './apply-alerts.ts'
import { settledSpan, usualDaySales } from './rules/usual-sales.ts'

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
  const { merchantId, profileId, currency } = profile
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
  const drafts = status
    ? [paymentDraft(profile, status, { now, daySales: await adSalesOfDay(services, profile, now) })]
    : []
  const causes = [`payment-${profileId}`]
  await applyToAccount(services, { merchantId, profileId, currency, causes, drafts, happenedAt: now })
  return !status
}

const isOfAccount = (status: string | null): boolean =>
  status !== null && /^(ADVERTISER|ACCOUNT)_/.test(status) && servingOf(status)?.kind === 'MONEY'

/** What the ads of an account usually sell in a day; null where that is not known. */
async function adSalesOfDay({ db }: Services, profile: Profile, now: Date): Promise<Micros | null> {
  const { merchantId, profileId } = profile
  const { from, to } = settledSpan(profile, now)
  const days = await db.reading(merchantId, tx => profileDays(tx, merchantId, [profileId], from, to))
  return usualDaySales(
    days.map(({ date, salesMicros }) => ({ date, micros: salesMicros })),
    to,
  )
}

const salesLine = (label: string, micros: Micros | null): Draft['evidence'] =>
  micros === null ? [] : [{ label, format: 'money', value: fromMicros(micros) }]

function paymentDraft(
  { profileId, merchantName, countryCode, timezone }: Profile,
  status: string,
  { now, daySales }: { now: Date; daySales: Micros | null },
): Draft {
  const date = dayIn(now, timezone)
  // The account's own limit for a day stops it until midnight; a payment that failed does until somebody acts.
  const isForToday = status.endsWith('OUT_OF_BUDGET')
  const left = isForToday ? 1 - shareBefore({ date, timezone, asOf: now, curve: null }, now) : 1
  return accountDraft({
    kind: 'PAYMENT_PROBLEM',
    cause: `payment-${profileId}`,
    occasion: date,
    title: `All ads of ${merchantName} (${countryCode}) are stopped`,
    body: servingOf(status)?.reason ?? '',
    url: '/connections',
    evidence: [
      { label: 'Account', format: 'text', value: `${merchantName}, ${countryCode}` },
      { label: 'Seen', format: 'time', value: now.toISOString() },
      ...salesLine('Usual sales of its ads in a day', daySales),
    ],
    stakeMicros: daySales === null ? null : Math.round(daySales * left),
    says: status,
    endsAt: isForToday ? startOfDayIn(addDays(date, 1), timezone) : null,
    isLasting: true,
  })
}

/** One alert for each product, whatever number of campaigns advertise it. */
async function testProducts(services: Services, profile: Profile, ads: readonly RunningAd[], now: Date): Promise<void> {
  const { merchantId, profileId, currency } = profile
  const answers = ads.length
    ? await adsOf(services.integrations, profile).productAds.all({
        ids: ads.map(ad => ad.amazonId),
        states: ['ENABLED'],
        extended: true,
      })
    : []
  const statuses = new Map(answers.map(({ adId, servingStatus }) => [adId, servingStatus]))
  const found: Stopped[] = []
  const open = await openCauses(services, ['PRODUCT_INELIGIBLE'], { merchantId, profileId })
  // What is stopped for another reason says nothing of its product; a product that nobody advertises any more needs nobody.
  const unclear = new Set<string>()
  for (const [product, own] of Map.groupBy(ads, ad => ad.asin ?? ad.sku ?? `${ad.adId}`)) {
    const cause = causeOf(profile, own)
    const stopped = own.filter(ad => servingOf(statuses.get(ad.amazonId))?.kind === 'PRODUCT')
    const status = stopped[0] && statuses.get(stopped[0].amazonId)
    if (status) found.push({ product, cause, status, stopped })
    else if (!own.some(ad => servingOf(statuses.get(ad.amazonId))?.kind === 'RUNS')) unclear.add(cause)
  }
  const salesOf = await salesOfProducts(services, profile, found, now)
  const drafts = found.map(one => productDraft(one, ads, { now, sales: salesOf.get(one.product) ?? null }))
  const causes = open.map(one => one.cause).filter(cause => !unclear.has(cause))
  await applyToAccount(services, { merchantId, profileId, currency, causes, drafts, happenedAt: now })
}

/** A product that cannot be advertised, and the ads that this stops. */
interface Stopped {
  product: string
  cause: string
  status: string
  stopped: readonly RunningAd[]
}

/** What cannot be bought sells nothing at all; what cannot be advertised loses the sales of its ads. */
const isGone = (status: string): boolean =>
  ['NO_INVENTORY', 'OUT_OF_STOCK', 'NOT_BUYABLE', 'NO_PURCHASABLE_OFFER'].some(reason => status.endsWith(reason))

/** What these products usually sell in a day, as far as it is lost now. */
async function salesOfProducts(
  { db }: Services,
  profile: Profile,
  found: readonly Stopped[],
  now: Date,
): Promise<Map<string, Micros>> {
  if (!found.length) return new Map()
  const { from, to } = settledSpan(profile, now)
  const asins = found.map(({ product }) => product)
  const days = await db.reading(profile.merchantId, tx => productDays(tx, profile, asins, { from, to }))
  return new Map(
    found.flatMap(({ product, status }) => {
      const own = days.filter(({ asin }) => asin === product)
      const sales = own.map(({ date, salesMicros, totalSalesMicros }) => ({
        date,
        // All sales are imported later than those of ads.
        micros: isGone(status) ? Math.max(salesMicros, totalSalesMicros) : salesMicros,
      }))
      const usual = usualDaySales(sales, to)
      return usual === null ? [] : [[product, usual] as const]
    }),
  )
}

const causeOf = ({ marketplaceId }: Profile, [ad]: readonly RunningAd[]): string =>
  ad?.asin ? `product-${marketplaceId}-${ad.asin}` : `product-ad-${ad?.adId}`

function productDraft(
  { product, cause, status, stopped }: Stopped,
  ads: readonly RunningAd[],
  { now, sales }: { now: Date; sales: Micros | null },
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
      ...salesLine(isGone(status) ? 'Usual sales in a day' : 'Usual sales of its ads in a day', sales),
    ],
    stakeMicros: sales,
    campaignId: campaigns.size === 1 ? (campaignId ?? null) : null,
    actions: isAlone ? ['PAUSE_CAMPAIGN'] : [],
    says: `${status} ${names.length}`,
    endsAt: null,
    isLasting: true,
  })
}
