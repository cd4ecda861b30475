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

/** A scenario while it is being made. */
export interface Stage {
  store: Store
  now: Date
  nextId: () => string
  seed: number
}

/** Ids of entities: 15 digits, counting up, so that two worlds of one scenario agree. */
function createIds(): () => string {
  let last = 310_000_000_000_000
  return () => {
    // Steps of an odd size look less like a counter and still never meet.
    last += 7_919
    return String(last)
  }
}

/** A stage with nothing on it. */
export function openStage(now: Date, seed = WORLD_SEED): Stage {
  return {
    store: emptyStore(),
    now,
    nextId: createIds(),
    seed,
  }
}

/** The scenario of a stage; the market has traded for so many days. */
export function finish(stage: Stage, historyDays = HISTORY_DAYS): Scenario {
  return {
    store: stage.store,
    seed: stage.seed,
    startsAt: new Date(Math.floor(stage.now.getTime() / HOUR_MS) * HOUR_MS - historyDays * 24 * HOUR_MS),
  }
}

/** Enters a seller of the cast. */
export function addSeller(stage: Stage, template: Seller): Seller {
  const seller = { ...template, marketplaceIds: [...template.marketplaceIds] }
  stage.store.sellers.set(seller.sellerId, seller)
  return seller
}

/** Gives a seller an advertising profile in a country, and something to sell there. */
export function addProfile(
  stage: Stage,
  seller: Seller,
  country: string,
  profileId: number,
  catalogue: CatalogueOptions,
): Profile {
  const profile = profileFor(seller, country, profileId)
  stage.store.profiles.set(profileId, profile)
  addCatalogue(stage.store, seller, profile.marketplaceId, catalogue)
  return profile
}

/** What a profile's seller lists there, as far as it is of a category. */
export function productsOf(stage: Stage, profile: Profile, categoryId?: string): Product[] {
  return [...stage.store.products.values()].filter(
    product =>
      product.sellerId === profile.sellerId &&
      product.marketplaceId === profile.marketplaceId &&
      (categoryId === undefined || product.categoryId === categoryId),
  )
}
