import { entriesBy } from '../../core/store/collections.ts'
import type { Store, Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { escapeHtml } from '../../core/html-page.ts'
import type { AdProductView, AnyCampaign } from '../ad-products.ts'
import { figuresOf } from '../figures.ts'
import { amountForm, nameForm, stateForm } from '../forms.ts'
import { amount, figureCells, figureHeads, layout } from '../layout.ts'
import { brandsSections, displaySections } from '../sections/other-sections.ts'
import { productsSections } from '../sections/products-sections.ts'
import { type Holder, type Section, sectionHtml } from '../sections/sections.ts'
import { table, text } from '../table.ts'

interface Kind {
  groups(store: Store): ReadonlyMap<string, { name: string }>
  sections(store: Store, holder: Holder): Section[]
  /** Facts beside those that every campaign has: names with their values. */
  facts(store: Store, campaignId: string): readonly (readonly [name: string, value: string, testId?: string])[]
}

const raises = (placements: readonly { placement: string; percentage: number }[]): string =>
  placements.map(({ placement, percentage }) => `, ${placement} ${percentage < 0 ? '' : '+'}${percentage} %`).join('')

const kinds: Record<AdProductView['adProduct'], Kind> = {
  SPONSORED_PRODUCTS: {
    groups: store => store.adGroups,
    sections: productsSections,
    facts(store, id) {
      const campaign = store.campaigns.get(id)
      return campaign
        ? [
            ['Targeting', campaign.targetingType],
            ['Bidding', campaign.strategy + raises(campaign.placements), 'campaign-strategy'],
          ]
        : []
    },
  },
  SPONSORED_BRANDS: {
    groups: store => store.brandAdGroups,
    sections: brandsSections,
    facts(store, id) {
      const campaign = store.brandCampaigns.get(id)
      if (!campaign) return []
      const { bidOptimization, placements, budgetType, costType, goal } = campaign
      const bidding = bidOptimization ? 'optimised by the marketplace' : `by hand${raises(placements)}`
      return [
        ['Goal', `${goal}, ${costType}, ${budgetType} budget`],
        ['Bidding', bidding, 'campaign-strategy'],
      ]
    },
  },
  SPONSORED_DISPLAY: {
    groups: store => store.displayAdGroups,
    sections: displaySections,
    facts(store, id) {
      const campaign = store.displayCampaigns.get(id)
      return campaign ? [['Tactic', `${campaign.tactic}, ${campaign.costType}`]] : []
    },
  },
}

const figuresTable = (world: World, profile: Profile, { adProduct }: AdProductView, campaignId: string): string => {
  const rows = [7, 30].map(days => ({
    cells: [
      text(`${days} days`),
      ...figureCells(figuresOf(world, profile, days, adProduct).get(campaignId), profile.currency),
    ],
  }))
  return table('Figures', ['Last', ...figureHeads], rows)
}

/** One campaign of any ad product with all that hangs on it; `query` says which page of each section. */
export const campaignPage = (
  world: World,
  { view, campaign }: { view: AdProductView; campaign: AnyCampaign },
  profile: Profile,
  query: Record<string, string | undefined>,
): string => {
  const { campaignId, name, state, budgetMicros } = campaign
  const { currency, profileId } = profile
  const kind = kinds[view.adProduct]
  const here = `/console/campaigns/${campaignId}`
  const action = { entity: view.entity, id: campaignId, back: here }
  const groups = entriesBy(kind.groups(world.store), 'campaignId', campaignId)
  const groupNames = new Map([...groups].map(([id, group]) => [id, group.name]))
  const holder: Holder = { campaignId, currency, query, groupNames }
  const spent = world.market().budgetUsage(campaignId, world.clock.now())
  const facts: (readonly [name: string, value: string, testId?: string])[] = [
    ['Id', campaignId, 'campaign-id'],
    ['State', state, 'campaign-state'],
    ['Budget', amount(budgetMicros, currency), 'campaign-budget'],
    ['Spent today', `${amount(spent.spentMicros, currency)} (${Math.round(spent.share * 100)} %)`],
    ...kind.facts(world.store, campaignId),
    ['Runs', `${campaign.startDate} to ${campaign.endDate ?? 'no end'}`],
  ]
  const list = facts.map(
    ([term, value, testId]) =>
      `<dt>${term}</dt><dd${testId ? ` data-testid="${testId}"` : ''}>${escapeHtml(value)}</dd>`,
  )
  const forms =
    state === 'ARCHIVED'
      ? ''
      : amountForm(action, 'budget', budgetMicros, 'the campaign') +
        nameForm(action, name) +
        stateForm(action, state, 'the campaign')
  const up = `/console/profiles/${profileId}${view.key === 'products' ? '' : `?product=${view.key}`}`
  return layout(
    { title: name, now: world.clock.now(), here },
    `<p><a href="${up}">${view.name} of profile ${profileId}</a></p><dl>${list.join('')}</dl><div>${forms}</div>
${figuresTable(world, profile, view, campaignId)}
${kind
  .sections(world.store, holder)
  .map(section => sectionHtml(section, holder))
  .join('\n')}`,
  )
}
