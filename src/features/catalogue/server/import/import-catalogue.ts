import { dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import { type Question, saveProducts } from '../sql/save-products.ts'
import { askFees } from './ask-fees.ts'
import { askEligibility, isRefusal } from './ask-eligibility.ts'
import { mergeProducts } from './merge-products.ts'
import { readListings } from './read-listings.ts'

export interface CatalogueProgress {
  /** Ends the import between two calls. */
  signal: AbortSignal
  /** Told before each part: how much is done, 0 to 1, and what comes. */
  onProgress: (share: number, what: string) => Promise<void>
}

/**
 * Brings in what the seller lists in the profile's marketplace, with stock, catalogue facts and eligibility. Everything is
 * read first and saved in one transaction, so a run that is broken off changes nothing and a second run over an
 * unchanged account neither. What the marketplace refuses to tell stays as it was; COGS are never touched. Without a
 * connection to the seller account there is nothing to read. Returns the number of products.
 */
export const importCatalogue = async (
  services: Services,
  profile: Profile,
  { signal, onProgress }: CatalogueProgress,
): Promise<number> => {
  const { db, clock, log, integrations } = services
  if (profile.sellingPartnerConnectionId === null || profile.sellerId === null) return 0
  const seller = integrations.sellingPartner.forSeller({
    connectionId: profile.sellingPartnerConnectionId,
    region: profile.region,
    sellerId: profile.sellerId,
  })
  const ads = integrations.amazonAds.forProfile({
    connectionId: profile.connectionId,
    region: profile.region,
    profileId: profile.amazonProfileId,
  })
  const untold = new Set<Question>()
  const orUnknown = async <T>(what: Question, read: () => Promise<T[]>): Promise<T[]> => {
    signal.throwIfAborted()
    try {
      return await read()
    } catch (error) {
      if (!isRefusal(error)) throw error
      log.warn({ err: error, profileId: profile.profileId, what }, 'the marketplace does not tell it')
      untold.add(what)
      return []
    }
  }

  await onProgress(0, 'listings')
  const listings = await readListings(seller, profile, signal)
  await onProgress(0.3, 'stock')
  const inventory = await orUnknown('stock', () => allPages(seller.inventory(profile.marketplaceAmazonId)))
  const nothing = { catalog: [], facts: [], eligibility: [], fees: new Map<string, number>() }
  const listed = mergeProducts({ listings, inventory, ...nothing })
  const asins = [...new Set(listed.flatMap(product => product.asin ?? []))]
  await onProgress(0.5, 'catalogue facts')
  const catalog = await orUnknown('catalogue facts', () => seller.catalogItems(asins, profile.marketplaceAmazonId))
  await onProgress(0.7, 'advertising facts')
  const facts = await orUnknown('advertising facts', () =>
    asins.length ? ads.advice.productFacts({ asins }) : Promise.resolve([]),
  )
  await onProgress(0.8, 'eligibility')
  const asked = listed.flatMap(({ asin, sku }) => (asin ? [{ asin, sku }] : []))
  const eligibility = await orUnknown('eligibility', () => askEligibility(ads, asked, signal))
  await onProgress(0.9, 'fees')
  const estimates = await orUnknown('fees', () => askFees(seller, listed, profile.marketplaceAmazonId))
  const told = { listings, inventory, catalog, facts, eligibility, fees: new Map(estimates) }
  const products = mergeProducts(told)
  signal.throwIfAborted()
  const now = clock.now()
  await db.tenant(profile.merchantId, tx =>
    saveProducts(tx, profile, products, { now, today: dayIn(now, profile.timezone), untold }),
  )
  return products.length
}

const allPages = async <T>(pages: AsyncIterable<T[]>): Promise<T[]> => {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}
