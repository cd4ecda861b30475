import type { Store, Product, Profile, Seller } from '../core/model/store.ts'
import { profileFor } from './sellers.ts'
import { addCatalogue, type CatalogueOptions } from './catalogue.ts'
import { emptyStore } from '../core/store/collections.ts'

export interface Scenario {
  store: Store
  seed: number
  /** From when on the market trades; days before it have no figures. */
  startsAt: Date
}
export type MakeScenario = (options: { now: Date; seed?: number }) => Scenario

const WORLD_SEED = 20_240_229
const HISTORY_DAYS = 98
const HOUR_MS = 3_600_000

/** A scenario under construction. */
export interface ScenarioDraft {
  store: Store
  now: Date
  nextId: () => string
  seed: number
}

/** Ids of entities: 15 digits, counting up, so that two worlds of one scenario agree. */
function createIds(): () => string {
  let last = 310_000_000_000_000
  return () => {
    // Odd steps look less like a counter and still never collide.
    last += 7_919
    return String(last)
  }
}

/** An empty scenario draft. */
export function openDraft(now: Date, seed = WORLD_SEED): ScenarioDraft {
  return {
    store: emptyStore(),
    now,
    nextId: createIds(),
    seed,
  }
}

/** The scenario of a draft; the market has traded for `historyDays`. */
export function finish(draft: ScenarioDraft, historyDays = HISTORY_DAYS): Scenario {
  return {
    store: draft.store,
    seed: draft.seed,
    startsAt: new Date(Math.floor(draft.now.getTime() / HOUR_MS) * HOUR_MS - historyDays * 24 * HOUR_MS),
  }
}

/** Adds a seller from the fixtures. */
export function addSeller(draft: ScenarioDraft, template: Seller): Seller {
  const seller = { ...template, marketplaceIds: [...template.marketplaceIds] }
  draft.store.sellers.set(seller.sellerId, seller)
  return seller
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
export function productsOf(draft: ScenarioDraft, profile: Profile, categoryId?: string): Product[] {
  return [...draft.store.products.values()].filter(
    product =>
      product.sellerId === profile.sellerId &&
      product.marketplaceId === profile.marketplaceId &&
      (categoryId === undefined || product.categoryId === categoryId),
  )
}
