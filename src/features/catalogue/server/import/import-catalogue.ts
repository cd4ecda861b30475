import { dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import { UpstreamForbidden, UpstreamMalformed, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { type Question, saveProducts } from './save-products.ts'
import { askEligibility } from './ask-eligibility.ts'
import { mergeProducts, type ImportedProduct } from './merge-products.ts'
import { readListings } from './read-listings.ts'
import type { Seller } from '#integrations/selling-partner/index.ts'
import type { Micros } from '#shared/money.ts'

export interface CatalogueProgress {
  /** Stops the import between two calls. */
  signal: AbortSignal
  /** Called before each part: how much is done, 0 to 1, and what comes next. */
  onProgress: (share: number, what: string) => Promise<void>
}

/**
 * Brings in what the seller lists in the profile's marketplace, with stock, catalogue facts and eligibility. Everything is
 * read first and saved in one transaction, so a run that is broken off changes nothing and a second run over an
 * unchanged account neither. What the marketplace refuses to tell stays as it was; COGS are never touched. Without a
 * connection to the seller account there is nothing to read. Returns the number of products.
 */
export async function importCatalogue(
  services: Services,
  profile: Profile,
  { signal, onProgress }: CatalogueProgress,
): Promise<number> {
  const { db, clock, log, integrations } = services
  if (profile.sellingPartnerConnectionId === null) return 0
  const { region, sellerId, connectionId, amazonProfileId, marketplaceAmazonId } = profile
  const { sellingPartner, amazonAds } = integrations
  const seller = sellingPartner.forSeller({ connectionId: profile.sellingPartnerConnectionId, region, sellerId })
  const ads = amazonAds.forProfile({ connectionId, region, profileId: amazonProfileId })
  const unanswered = new Set<Question>()
  const orUnknown = async <T>(what: Question, read: () => Promise<T[]>): Promise<T[]> => {
    signal.throwIfAborted()
    try {
      return await read()
    } catch (error) {
      if (!isPermanent(error)) throw error
      log.warn({ err: error, profileId: profile.profileId, what }, 'the marketplace does not answer it')
      unanswered.add(what)
      return []
    }
  }

  await onProgress(0, 'listings')
  const listings = await readListings(seller, profile, signal)
  await onProgress(0.3, 'stock')
  const inventory = await orUnknown('stock', () => allPages(seller.inventory(marketplaceAmazonId)))
  const noDetails = { catalog: [], facts: [], eligibility: [], fees: new Map<string, number>() }
  const listed = mergeProducts({ listings, inventory, ...noDetails })
  const asins = [...new Set(listed.flatMap(product => product.asin ?? []))]
  await onProgress(0.5, 'catalogue facts')
  const catalog = await orUnknown('catalogue facts', () => seller.catalogItems(asins, marketplaceAmazonId))
  await onProgress(0.7, 'advertising facts')
  const facts = await orUnknown('advertising facts', async () =>
    asins.length ? ads.advice.productFacts({ asins }) : [],
  )
  await onProgress(0.8, 'eligibility')
  const requested = listed.flatMap(({ asin, sku }) => (asin ? [{ asin, sku }] : []))
  const eligibility = await orUnknown('eligibility', () => askEligibility(ads, requested, signal))
  await onProgress(0.9, 'fees')
  const estimates = await orUnknown('fees', () => askFees(seller, listed, marketplaceAmazonId))
  const products = mergeProducts({ listings, inventory, catalog, facts, eligibility, fees: new Map(estimates) })
  signal.throwIfAborted()
  const now = clock.now()
  await db.tenant(profile.merchantId, tx =>
    saveProducts(tx, profile, products, { now, today: dayIn(now, profile.timezone), unanswered }),
  )
  return products.length
}

async function allPages<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}

/** What the marketplace keeps of a sale at the present price, by sku, in micros; missing where it has no estimate. */
async function askFees(
  seller: Pick<Seller, 'feesEstimates'>,
  products: readonly ImportedProduct[],
  marketplaceId: string,
): Promise<[sku: string, micros: Micros][]> {
  const questions = products.flatMap(({ sku, priceMicros, currency, fulfilledByAmazon }) =>
    priceMicros === null || currency === null
      ? []
      : [{ id: { sku }, marketplaceId, priceMicros, currency, fulfilledByAmazon: fulfilledByAmazon ?? false }],
  )
  const estimates = await seller.feesEstimates(questions)
  return estimates.flatMap((estimate, i): [string, number][] => {
    const question = questions[i]
    return estimate.ok && question ? [[question.id.sku, estimate.totalMicros]] : []
  })
}

/** True for an error that a retry would not change: the values stay unknown. */
const isPermanent = (error: unknown): boolean =>
  error instanceof UpstreamRejected || error instanceof UpstreamForbidden || error instanceof UpstreamMalformed
