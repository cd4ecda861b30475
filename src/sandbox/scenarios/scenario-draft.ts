import type { Product, Profile, Seller, Store } from '../core/model/store.ts'
import { emptyStore } from '../core/store/collections.ts'
import type { Scenario } from '../core/world.ts'
import { addCatalogue, type CatalogueOptions } from './catalogue.ts'
import { profileFor } from './sellers.ts'

const WORLD_SEED = 20_240_229
const HISTORY_DAYS = 98
const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export interface ScenarioDraft {
  store: Store
  now: Date
  nextId: () => string
  seed: number
}

/** An empty scenario draft. Ids of entities are 15 digits, counting up, so that two worlds of one scenario agree. */
export function openDraft(now: Date, seed = WORLD_SEED): ScenarioDraft {
  let last = 310_000_000_000_000
  // Odd steps look less like a counter and still never collide.
  return { store: emptyStore(), now, nextId: () => String((last += 7_919)), seed }
}

/** The scenario of a draft; the market has traded for `historyDays`. */
export function finish({ store, seed, now }: ScenarioDraft, historyDays = HISTORY_DAYS): Scenario {
  return { store, seed, startsAt: new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - historyDays * DAY_MS) }
}

/** Adds sellers, and a person who acts for them. */
export function addLogin({ store }: ScenarioDraft, email: string, name: string, sellers: readonly Seller[]): void {
  for (const seller of sellers) store.sellers.set(seller.sellerId, { ...seller })
  store.logins.push({ email, name, sellerIds: sellers.map(({ sellerId }) => sellerId) })
}

/** Gives a seller an advertising profile in a country, and something to sell there. */
export function addProfile(
  draft: ScenarioDraft,
  seller: Seller,
  country: string,
  profileId: number,
  catalogue: CatalogueOptions,
): Profile {
  const profile = profileFor(seller, country, profileId)
  draft.store.profiles.set(profileId, profile)
  addCatalogue(draft.store, seller, profile.marketplaceId, catalogue)
  return profile
}

/** What a profile's seller lists there, as far as it is of a category. */
export function productsOf({ store }: ScenarioDraft, profile: Profile, categoryId?: string): Product[] {
  return [...store.products.values()].filter(
    product =>
      product.sellerId === profile.sellerId &&
      product.marketplaceId === profile.marketplaceId &&
      (categoryId ?? product.categoryId) === product.categoryId,
  )
}
