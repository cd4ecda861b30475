import * as v from 'valibot'
import { createPayload } from '#features/launches/launch-schema.ts'
import { itemsOfPlan } from '#features/launches/plan/launch-items.ts'
import { planLaunch } from '#features/launches/plan/plan-launch.ts'
import type { LaunchRun } from '#features/launches/server/run/launch-run.ts'
import type { JournalItem } from '#features/launches/server/sql/items.ts'
import { placed } from '#features/launches/server/steps/placed-items.ts'
import { steps } from '#features/launches/server/steps/steps.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { LaunchScene } from '../launch-scene.ts'
import { knownAdvice } from './known-advice.ts'
import { type LaunchCase, TABLE_BUDGET } from './launch-table.ts'

/** A row of the table under a name of its own, with the products it is made for. */
export interface NamedRow extends LaunchCase {
  campaignName: string
  products: readonly { asin: string; sku: string }[]
}

function itemsOfRow(
  { input, campaignName, products, brand, advice = knownAdvice }: NamedRow,
  scene: LaunchScene,
  firstNo: number,
) {
  const facts = marketplaceById(scene.market.id)
  if (!facts) throw new Error('the scene has no marketplace')
  const payload = v.parse(createPayload, { campaignName, budget: TABLE_BUDGET, targetAcos: 30, products, ...input })
  const withRates = products.map(p => ({
    ...p,
    title: null,
    category: null,
    brand: brand ?? null,
    orderValueMicros: null,
    conversionRate: null,
  }))
  const market = { ...facts, accountType: 'seller' as const, campaignPrefix: 'TL' }
  const plan = planLaunch({ payload, market, products: withRates, advice })
  const ofRow = (key: string | null) => key && `${campaignName} ${key}`
  return itemsOfPlan(plan).map(
    (item, i): JournalItem => ({
      ...item,
      no: firstNo + i,
      key: ofRow(item.key) ?? '',
      parentKey: ofRow(item.parentKey),
      state: 'PLANNED',
      amazonId: null,
      reason: null,
      message: null,
      attempts: 0,
      sentAt: null,
      saved: false,
    }),
  )
}

/**
 * Makes rows of the table at the marketplace by the launch's own plan and steps, many in each call: as a launch would,
 * without its journal. Throws when an item is refused.
 */
export async function makeRows(scene: LaunchScene, rows: readonly NamedRow[]): Promise<void> {
  const items: JournalItem[] = []
  for (const row of rows) items.push(...itemsOfRow(row, scene, items.length))
  const account = { connectionId: 0, region: 'NA' as const, profileId: String(scene.amazonProfileId) }
  // All of a run that a step uses to send.
  const run = {
    key: { merchantId: scene.merchantId, launchId: 0 },
    profile: { accountType: 'seller' },
    ads: scene.services.integrations.amazonAds.forProfile(account),
  } as unknown as LaunchRun
  for (const step of steps) {
    const ofStep = placed(items, step.name)
    if (ofStep.orphans.length) throw new Error(`${ofStep.orphans.length} items of ${step.name} hang under nothing`)
    for (let at = 0; at < ofStep.placed.length; at += 1000) {
      const batch = ofStep.placed.slice(at, at + 1000)
      for (const [i, outcome] of (await step.send(run, batch)).entries()) {
        const item = items[batch[i]?.no ?? -1]
        if (!item || !outcome.ok) throw new Error(`${item?.label} was not made: ${JSON.stringify(outcome)}`)
        Object.assign(item, { state: 'CREATED', amazonId: outcome.id })
      }
    }
  }
}
