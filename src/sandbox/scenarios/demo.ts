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
  openDraft,
  productsOf,
  type ScenarioDraft,
} from './scenario-draft.ts'
import { addBrandCampaign } from './campaigns/brand-campaigns.ts'
import { type CampaignWriter, createCampaignWriter } from './campaigns/campaigns.ts'
import { addDisplayCampaign } from './campaigns/display-campaigns.ts'

/** Three campaigns a category (automatic, exact, broad), some of them paused, archived or young. */
function addFunnels(draft: ScenarioDraft, writer: CampaignWriter, profile: Profile, categories: number): void {
  return languageOf(profile.marketplaceId)
    .categories.slice(0, categories)
    .forEach((category, i) => {
      const products = productsOf(draft, profile, category.id)
      writer.addCampaign(category, products, 'Auto', i === 4 ? { state: 'PAUSED', changedDaysAgo: 20 } : {})
      writer.addCampaign(category, products.slice(0, 2), 'Exact', i === 2 ? { madeDaysAgo: 40 } : {})
      writer.addCampaign(category, products, 'Broad', i === 5 ? { state: 'ARCHIVED', changedDaysAgo: 45 } : {})
      if (i === 1)
        writer.addCampaign(category, products.slice(0, 1), 'Products', { state: 'PAUSED', changedDaysAgo: 6 })
    })
}

/** A campaign for each single product, and one on rivals' pages for each category that has none yet. */
function addSingles(draft: ScenarioDraft, writer: CampaignWriter, profile: Profile, categories: number): void {
  return languageOf(profile.marketplaceId)
    .categories.slice(0, categories)
    .forEach((category, i) => {
      const products = productsOf(draft, profile, category.id)
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
function addOtherProducts(draft: ScenarioDraft, profile: Profile): void {
  for (const category of languageOf(profile.marketplaceId).categories.slice(0, 2)) {
    const products = productsOf(draft, profile, category.id).filter(product => product.eligibility === 'ELIGIBLE')
    addBrandCampaign(draft, profile, category, products)
    addDisplayCampaign(draft, profile, category, products)
  }
}

type AddCampaigns = (draft: ScenarioDraft, profile: Profile, categories: number) => void

const addMany: AddCampaigns = (draft, profile, categories) => {
  const writer = createCampaignWriter(draft.store, profile, draft.now, draft.nextId, draft.seed)
  addFunnels(draft, writer, profile, categories)
  addSingles(draft, writer, profile, categories)
  addOtherProducts(draft, profile)
}
const addFew: AddCampaigns = (draft, profile, categories) => {
  const writer = createCampaignWriter(draft.store, profile, draft.now, draft.nextId, draft.seed)
  addFunnels(draft, writer, profile, categories)
  addOtherProducts(draft, profile)
}

function agency(addCampaigns: AddCampaigns): MakeScenario {
  return ({ now, seed }) => {
    const draft = openDraft(now, seed)
    const us = addSeller(draft, sellers.harborlane)
    const de = addSeller(draft, sellers.nordhafen)
    const jp = addSeller(draft, sellers.minato)
    const home = { brands: ['Harborlane', 'Pinecrest'], categories: 8, perCategory: 4 }
    const german = { brands: ['Nordhafen', 'Lindholz'], categories: 8, perCategory: 4 }
    const japanese = { brands: ['ミナト', '波音'], categories: 8, perCategory: 4 }
    addCampaigns(draft, addProfile(draft, us, 'US', 1100000000000011, home), 7)
    addCampaigns(draft, addProfile(draft, us, 'CA', 1100000000000012, { ...home, perCategory: 2 }), 2)
    addCampaigns(draft, addProfile(draft, de, 'DE', 2100000000000011, german), 7)
    addCampaigns(draft, addProfile(draft, jp, 'JP', 3100000000000011, japanese), 7)
    draft.store.logins.push({
      email: 'agency@sandbox.test',
      name: 'Alex Agency',
      sellerIds: [us.sellerId, de.sellerId, jp.sellerId],
    })
    addNewSeller(draft, true)
    const idle = addSeller(draft, sellers.idle)
    draft.store.logins.push({ email: 'empty@sandbox.test', name: 'Emil Empty', sellerIds: [idle.sellerId] })
    addPublishedAccount(draft.store)
    return finish(draft)
  }
}

/** An agency with three sellers on three continents, a seller about to begin, and one without any profile: 200 campaigns. */
export const demo = agency(addMany)
/** The same accounts and products with funnels only, for tests that must not wait for a long import. */
export const small = agency(addFew)
