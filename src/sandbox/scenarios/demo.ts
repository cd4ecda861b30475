import type { Profile } from '../core/model/store.ts'
import { languageOf } from '../market/vocabulary/vocabulary.ts'
import { sellers } from './sellers.ts'
import { addNewSeller } from './new-seller.ts'
import { addPublishedAccount } from './published-account.ts'
import {
  addProfile,
  addSeller,
  finish,
  type MakeScenario,
  openStage,
  productsOf,
  type Stage,
} from './scenario-draft.ts'
import { addBrandCampaign } from './campaigns/brand-campaigns.ts'
import { type CampaignWriter, createCampaignWriter } from './campaigns/campaigns.ts'
import { addDisplayCampaign } from './campaigns/display-campaigns.ts'

/** Three campaigns a category (automatic, exact, broad), some of them paused, archived or young. */
function addFunnels(stage: Stage, writer: CampaignWriter, profile: Profile, categories: number): void {
  return languageOf(profile.marketplaceId)
    .categories.slice(0, categories)
    .forEach((category, i) => {
      const products = productsOf(stage, profile, category.id)
      writer.addCampaign(category, products, 'Auto', i === 4 ? { state: 'PAUSED', changedDaysAgo: 20 } : {})
      writer.addCampaign(category, products.slice(0, 2), 'Exact', i === 2 ? { madeDaysAgo: 40 } : {})
      writer.addCampaign(category, products, 'Broad', i === 5 ? { state: 'ARCHIVED', changedDaysAgo: 45 } : {})
      if (i === 1)
        writer.addCampaign(category, products.slice(0, 1), 'Products', { state: 'PAUSED', changedDaysAgo: 6 })
    })
}

/** A campaign for each single product, and one on rivals' pages for each category that has none yet. */
function addSingles(stage: Stage, writer: CampaignWriter, profile: Profile, categories: number): void {
  return languageOf(profile.marketplaceId)
    .categories.slice(0, categories)
    .forEach((category, i) => {
      const products = productsOf(stage, profile, category.id)
      if (i !== 1) writer.addCampaign(category, products.slice(0, 2), 'Products', { madeDaysAgo: 60 + i })
      products.forEach((product, n) =>
        writer.addCampaign(category, [product], 'Exact', {
          suffix: product.sku,
          madeDaysAgo: 30 + i * 9 + n,
          ...(n === 3 && { state: 'PAUSED' as const, changedDaysAgo: 12 }),
        }),
      )
    })
}

/** Banners and displays for the first two categories. */
function addOtherProducts(stage: Stage, profile: Profile): void {
  for (const category of languageOf(profile.marketplaceId).categories.slice(0, 2)) {
    const products = productsOf(stage, profile, category.id).filter(product => product.eligibility === 'ELIGIBLE')
    addBrandCampaign(stage, profile, category, products)
    addDisplayCampaign(stage, profile, category, products)
  }
}

type AddCampaigns = (stage: Stage, profile: Profile, categories: number) => void

const addMany: AddCampaigns = (stage, profile, categories) => {
  const writer = createCampaignWriter(stage.store, profile, stage.now, stage.nextId, stage.seed)
  addFunnels(stage, writer, profile, categories)
  addSingles(stage, writer, profile, categories)
  addOtherProducts(stage, profile)
}
const addFew: AddCampaigns = (stage, profile, categories) => {
  const writer = createCampaignWriter(stage.store, profile, stage.now, stage.nextId, stage.seed)
  addFunnels(stage, writer, profile, categories)
  addOtherProducts(stage, profile)
}

function agency(addCampaigns: AddCampaigns): MakeScenario {
  return ({ now, seed }) => {
    const stage = openStage(now, seed)
    const us = addSeller(stage, sellers.harborlane)
    const de = addSeller(stage, sellers.nordhafen)
    const jp = addSeller(stage, sellers.minato)
    const home = { brands: ['Harborlane', 'Pinecrest'], categories: 8, perCategory: 4 }
    const german = { brands: ['Nordhafen', 'Lindholz'], categories: 8, perCategory: 4 }
    const japanese = { brands: ['ミナト', '波音'], categories: 8, perCategory: 4 }
    addCampaigns(stage, addProfile(stage, us, 'US', 1100000000000011, home), 7)
    addCampaigns(stage, addProfile(stage, us, 'CA', 1100000000000012, { ...home, perCategory: 2 }), 2)
    addCampaigns(stage, addProfile(stage, de, 'DE', 2100000000000011, german), 7)
    addCampaigns(stage, addProfile(stage, jp, 'JP', 3100000000000011, japanese), 7)
    stage.store.logins.push({
      email: 'agency@sandbox.test',
      name: 'Alex Agency',
      sellerIds: [us.sellerId, de.sellerId, jp.sellerId],
    })
    addNewSeller(stage, true)
    const idle = addSeller(stage, sellers.idle)
    stage.store.logins.push({ email: 'empty@sandbox.test', name: 'Emil Empty', sellerIds: [idle.sellerId] })
    addPublishedAccount(stage.store)
    return finish(stage)
  }
}

/** An agency with three sellers on three continents, a seller about to begin, and one without any profile: 200 campaigns. */
export const demo = agency(addMany)
/** The same accounts and products with funnels alone, for whoever must not wait for a long import. */
export const small = agency(addFew)
