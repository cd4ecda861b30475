import { type Html, html } from '../../core/html.ts'
import type { EntityOf } from '../../core/model/ad-products.ts'
import type { Profile, Store } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import type { AdProduct } from '../../market/market.ts'
import { adProductViews } from '../figures.ts'
import { figuresOf } from '../figures.ts'
import { amountForm, changeForm, stateForm } from '../forms.ts'
import { amount, figureCells, figureHeads, layout } from '../layout.ts'
import { cell, table } from '../table.ts'
import { sectionsHtml } from './campaign-sections.ts'

type Detail = readonly [term: string, value: string, testId?: string]

const adjustments = (placements: readonly { placement: string; percentage: number }[]): string =>
  placements.map(({ placement, percentage }) => `, ${placement} ${percentage < 0 ? '' : '+'}${percentage} %`).join('')

function adProductDetails(adProduct: AdProduct, store: Store, campaignId: string): Detail[] {
  const product = adProduct === 'SPONSORED_PRODUCTS' && store.campaigns.get(campaignId)
  if (product)
    return [
      ['Targeting', product.targetingType],
      ['Bidding', product.strategy + adjustments(product.placements), 'campaign-strategy'],
    ]
  const brand = adProduct === 'SPONSORED_BRANDS' && store.brandCampaigns.get(campaignId)
  if (brand) {
    const bidding = brand.bidOptimization ? 'optimised by the marketplace' : `by hand${adjustments(brand.placements)}`
    return [
      ['Goal', `${brand.goal}, ${brand.costType}, ${brand.budgetType} budget`],
      ['Bidding', bidding, 'campaign-strategy'],
    ]
  }
  const display = adProduct === 'SPONSORED_DISPLAY' && store.displayCampaigns.get(campaignId)
  return display ? [['Tactic', `${display.tactic}, ${display.costType}`]] : []
}

/** One campaign of any ad product with everything in it. `query` has the page of each section. */
export function campaignPage(
  world: World,
  { adProduct, entity: campaign }: { adProduct: AdProduct; entity: EntityOf<'campaigns'> },
  profile: Profile,
  query: Record<string, string | undefined>,
): Html {
  const { campaignId, name, state, budgetMicros } = campaign
  const { currency, profileId } = profile
  const { key, entity, ...view } = adProductViews.find(one => one.adProduct === adProduct) ?? adProductViews[0]
  const here = `/console/campaigns/${campaignId}`
  const target = { entity, id: campaignId, back: here }
  const usage = world.market().budgetUsage(campaignId, world.clock.now())
  const details: Detail[] = [
    ['Id', campaignId, 'campaign-id'],
    ['State', state, 'campaign-state'],
    ['Budget', amount(budgetMicros, currency), 'campaign-budget'],
    ['Spent today', `${amount(usage.spentMicros, currency)} (${Math.round(usage.share * 100)} %)`],
    ...adProductDetails(adProduct, world.store, campaignId),
    ['Runs', `${campaign.startDate} to ${campaign.endDate ?? 'no end'}`],
  ]
  const forms = state !== 'ARCHIVED' && [
    amountForm(target, 'budget', budgetMicros, 'the campaign'),
    changeForm(
      target,
      html`<input class="long" type="text" name="value" dir="auto" aria-label="New name" value="${name}"><button name="action" value="rename">Rename</button>`,
    ),
    stateForm(target, state, 'the campaign'),
  ]
  const figureRows = [7, 30].map(days => ({
    cells: [cell(`${days} days`), ...figureCells(figuresOf(world, profile, days, adProduct).get(campaignId), currency)],
  }))
  const profileAddress = `/console/profiles/${profileId}${key === 'products' ? '' : `?product=${key}`}`
  return layout(
    world,
    name,
    here,
    html`<p><a href="${profileAddress}">${view.name} of profile ${profileId}</a></p><dl>${details.map(
      ([term, value, testId]) => html`<dt>${term}</dt><dd${testId && html` data-testid="${testId}"`}>${value}</dd>`,
    )}</dl><div>${forms}</div>
${table('Figures', ['Last', ...figureHeads], figureRows)}
${sectionsHtml(adProduct, { store: world.store, campaignId, currency, query })}`,
  )
}
