import type { Books, Profile, Seller } from '../core/model.ts'
import { languageOf } from '../market/vocabulary/vocabulary.ts'
import { type CampaignWriter, createCampaignWriter } from './campaigns.ts'
import { profileFor, sellers } from './cast.ts'
import { addCatalogue, type CatalogueOptions } from './catalogue.ts'
import { emptyBooks } from './empty-books.ts'
import { addPublishedAccount } from './published-account.ts'

export interface Scenario {
  books: Books
  seed: number
  /** From when on the market trades; days before it have no figures. */
  startsAt: Date
}
export type MakeScenario = (options: { now: Date; seed?: number }) => Scenario

const WORLD_SEED = 20_240_229
const HISTORY_DAYS = 98
const HOUR_MS = 3_600_000

/** Ids of entities: 15 digits, counting up, so that two worlds of one scenario agree. */
const createIds = (): (() => string) => {
  let last = 310_000_000_000_000
  return () => {
    // Steps of an odd size look less like a counter and still never meet.
    last += 7_919
    return String(last)
  }
}

interface Stage {
  books: Books
  now: Date
  nextId: () => string
  seed: number
}

const copyOf = (seller: Seller): Seller => ({ ...seller, marketplaceIds: [...seller.marketplaceIds] })

const addSeller = (stage: Stage, template: Seller): Seller => {
  const seller = copyOf(template)
  stage.books.sellers.set(seller.sellerId, seller)
  return seller
}

const addProfile = (
  stage: Stage,
  seller: Seller,
  country: string,
  profileId: number,
  catalogue: CatalogueOptions,
): Profile => {
  const profile = profileFor(seller, country, profileId)
  stage.books.profiles.set(profileId, profile)
  addCatalogue(stage.books, seller, profile.marketplaceId, catalogue)
  return profile
}

/** Three campaigns a category (automatic, exact, broad), some of them paused, archived or young. */
const addCampaigns = (stage: Stage, profile: Profile, categories: number): void => {
  const writer: CampaignWriter = createCampaignWriter(stage.books, profile, stage.now, stage.nextId, stage.seed)
  const listed = [...stage.books.products.values()].filter(
    product => product.sellerId === profile.sellerId && product.marketplaceId === profile.marketplaceId,
  )
  languageOf(profile.marketplaceId)
    .categories.slice(0, categories)
    .forEach((category, i) => {
      const products = listed.filter(product => product.categoryId === category.id)
      writer.addCampaign(category, products, 'Auto', i === 4 ? { state: 'PAUSED', changedDaysAgo: 20 } : {})
      writer.addCampaign(category, products.slice(0, 2), 'Exact', i === 2 ? { madeDaysAgo: 40 } : {})
      writer.addCampaign(category, products, 'Broad', i === 5 ? { state: 'ARCHIVED', changedDaysAgo: 45 } : {})
      if (i === 1)
        writer.addCampaign(category, products.slice(0, 1), 'Products', { state: 'PAUSED', changedDaysAgo: 6 })
    })
}

const newSellerBrands = ['Driftwood', 'Saltbox', 'Fernway']

const addNewSeller = (stage: Stage, withHistory: boolean): void => {
  const seller = addSeller(stage, sellers.driftwood)
  const us = addProfile(stage, seller, 'US', 4100000000000011, {
    brands: newSellerBrands,
    categories: 10,
    perCategory: 6,
  })
  addProfile(stage, seller, 'MX', 4100000000000012, { brands: newSellerBrands, categories: 4, perCategory: 5 })
  stage.books.logins.push({ email: 'seller@sandbox.test', name: 'Dana Driftwood', sellerIds: [seller.sellerId] })
  if (!withHistory) return
  const writer = createCampaignWriter(stage.books, us, stage.now, stage.nextId, stage.seed)
  const [, , , bottles, , , , , harnesses] = languageOf(us.marketplaceId).categories
  for (const [category, kind] of [
    [bottles, 'Auto'],
    [bottles, 'Exact'],
    [harnesses, 'Broad'],
  ] as const) {
    const products = [...stage.books.products.values()].filter(
      product =>
        product.sellerId === seller.sellerId &&
        product.categoryId === category?.id &&
        product.marketplaceId === us.marketplaceId,
    )
    if (category) writer.addCampaign(category, products.slice(0, 3), kind)
  }
}

const open = (now: Date, seed = WORLD_SEED): Stage => ({ books: emptyBooks(), now, nextId: createIds(), seed })

const finish = (stage: Stage): Scenario => ({
  books: stage.books,
  seed: stage.seed,
  startsAt: new Date(Math.floor(stage.now.getTime() / HOUR_MS) * HOUR_MS - HISTORY_DAYS * 24 * HOUR_MS),
})

/** An agency with three sellers on three continents, a seller about to begin, and one without any profile. */
const demo: MakeScenario = ({ now, seed }) => {
  const stage = open(now, seed)
  const us = addSeller(stage, sellers.harborlane)
  const de = addSeller(stage, sellers.nordhafen)
  const jp = addSeller(stage, sellers.minato)
  const home = { brands: ['Harborlane', 'Pinecrest'], categories: 8, perCategory: 4 }
  addCampaigns(stage, addProfile(stage, us, 'US', 1100000000000011, home), 7)
  addCampaigns(stage, addProfile(stage, us, 'CA', 1100000000000012, { ...home, perCategory: 2 }), 2)
  addCampaigns(
    stage,
    addProfile(stage, de, 'DE', 2100000000000011, { brands: ['Nordhafen', 'Lindholz'], categories: 8, perCategory: 4 }),
    7,
  )
  addCampaigns(
    stage,
    addProfile(stage, jp, 'JP', 3100000000000011, { brands: ['ミナト', '波音'], categories: 8, perCategory: 4 }),
    7,
  )
  stage.books.logins.push({
    email: 'agency@sandbox.test',
    name: 'Alex Agency',
    sellerIds: [us.sellerId, de.sellerId, jp.sellerId],
  })
  addNewSeller(stage, true)
  const idle = addSeller(stage, sellers.idle)
  stage.books.logins.push({ email: 'empty@sandbox.test', name: 'Emil Empty', sellerIds: [idle.sellerId] })
  addPublishedAccount(stage.books)
  return finish(stage)
}

/** One seller with a catalogue and not a single campaign. */
const newSeller: MakeScenario = ({ now, seed }) => {
  const stage = open(now, seed)
  addNewSeller(stage, false)
  return finish(stage)
}

/** The worlds that the sandbox can be reset to, by name. Each call makes books of its own. */
export const scenarios: Record<string, MakeScenario> = { demo, 'new-seller': newSeller }
