import { languageOf } from '../market/vocabulary/vocabulary.ts'
import { sellers } from './sellers.ts'
import {
  addProfile,
  addSeller,
  finish,
  type MakeScenario,
  openStage,
  productsOf,
  type Stage,
} from './scenario-draft.ts'
import { createCampaignWriter } from './campaigns/campaigns.ts'

const brands = ['Driftwood', 'Saltbox', 'Fernway']

/** A seller in two countries who is about to begin; with a history there are three campaigns. */
export function addNewSeller(stage: Stage, withHistory: boolean): void {
  const seller = addSeller(stage, sellers.driftwood)
  const us = addProfile(stage, seller, 'US', 4100000000000011, { brands, categories: 10, perCategory: 6 })
  addProfile(stage, seller, 'MX', 4100000000000012, { brands, categories: 4, perCategory: 5 })
  stage.store.logins.push({ email: 'seller@sandbox.test', name: 'Dana Driftwood', sellerIds: [seller.sellerId] })
  if (!withHistory) return
  const writer = createCampaignWriter(stage.store, us, stage.now, stage.nextId, stage.seed)
  const [, , , bottles, , , , , harnesses] = languageOf(us.marketplaceId).categories
  for (const [category, kind] of [
    [bottles, 'Auto'],
    [bottles, 'Exact'],
    [harnesses, 'Broad'],
  ] as const)
    if (category) writer.addCampaign(category, productsOf(stage, us, category.id).slice(0, 3), kind)
}

/** One seller with a catalogue and not a single campaign. */
export const newSeller: MakeScenario = ({ now, seed }) => {
  const stage = openStage(now, seed)
  addNewSeller(stage, false)
  return finish(stage)
}
