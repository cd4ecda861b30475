import * as v from 'valibot'
import {
  biddingStrategies,
  isTargetAcos,
  MAX_AD_GROUP_NAME_LENGTH,
  MAX_PLACEMENT_PERCENT,
  maxNameLength,
  MIN_PLACEMENT_PERCENT,
  placements,
} from '#shared/campaign-rules.ts'
import type { Fields } from '#shared/fields.ts'
import { money, newMoney } from '#shared/money.ts'
import { day } from '#shared/query-schemas.ts'
import { adFields, negativeFields, targetFields } from './ad-fields.ts'
import { adType, campaignName, identity, name, newState, parents, state, status, text, word } from './common-fields.ts'

function newName(label: string, length: number) {
  return v.pipe(
    v.string(`${label} is required`),
    v.trim(),
    v.nonEmpty(`${label} is required`),
    v.maxLength(length, `At most ${length} characters`),
  )
}
/** By how many percent a bid may be changed at a placement: the ranges of the ad types differ. */
export function placementPercent({ least, most }: { least: number; most: number }) {
  const message = `Must be a whole number from ${least} to ${most}`
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message))
}
const anyPercent = placementPercent({ least: MIN_PLACEMENT_PERCENT, most: MAX_PLACEMENT_PERCENT })
interface PlacementBid {
  placement: string
  percentage: number
}
const newPlacements = v.pipe(
  v.array(v.strictObject({ placement: v.picklist(placements, 'Must be a placement'), percentage: anyPercent })),
  v.maxLength(placements.length, 'Name each placement once'),
  v.check(list => new Set(list.map(one => one.placement)).size === list.length, 'Name each placement once'),
)
// A placement with 0 percent and one that is not listed mean the same.
function raised(list: readonly PlacementBid[]): string {
  return list
    .filter(one => one.percentage !== 0)
    .map(one => `${one.placement} ${one.percentage}`)
    .toSorted()
    .join()
}

const targetAcosMessage = 'Enter a target ACOS above 0 and up to 100, in steps of 0.1, or leave it empty for none'

/** A budget is for a day or for the whole run; a campaign has one of the two, and never changes to the other. */
const newBudget = {
  edit: newMoney('Valid budget amount is required'),
  isSortable: true,
  isAbsentIfNull: true,
} as const

/** Campaigns of every ad type. */
export const campaignFields = {
  ...identity,
  name: { ...name, label: 'Campaign name', edit: newName('Campaign name', maxNameLength.seller) },
  adType,
  targetingType: {
    label: 'Targeting',
    kind: 'word',
    column: 'targeting_type',
    schema: text,
    isSortable: true,
    port: 'targetingType',
  },
  budget: {
    label: 'Daily budget',
    kind: 'money',
    column: 'daily_budget_micros',
    schema: v.nullable(money),
    ...newBudget,
    port: 'dailyBudgetMicros',
  },
  lifetimeBudget: {
    label: 'Lifetime budget',
    kind: 'money',
    column: 'lifetime_budget_micros',
    schema: v.nullable(money),
    ...newBudget,
    port: 'lifetimeBudgetMicros',
    adTypes: ['SPONSORED_BRANDS'],
    help: 'For the whole run of the campaign, not for a day.',
  },
  /** CPC pays for clicks, VCPM for a thousand viewable impressions; Sponsored Products always for clicks. */
  costType: {
    label: 'Cost type',
    kind: 'word',
    column: 'cost_type',
    schema: word,
    port: 'costType',
    adTypes: ['SPONSORED_BRANDS', 'SPONSORED_DISPLAY'],
  },
  /** PRODUCTS: products and categories. AUDIENCES: people by what they did. */
  tactic: {
    label: 'Aims at',
    kind: 'word',
    column: 'tactic',
    schema: word,
    port: 'tactic',
    adTypes: ['SPONSORED_DISPLAY'],
  },
  /** Ours alone; null for none. */
  targetAcos: {
    label: 'Target ACOS',
    kind: 'percent',
    column: 'target_acos',
    schema: v.nullable(money),
    edit: v.nullable(v.pipe(v.number(targetAcosMessage), v.check(isTargetAcos, targetAcosMessage))),
    help: 'Advertising cost as a share of the sales it brings, up to 100 in steps of 0.1. Leave it empty for none.',
  },
  state: { ...state, edit: newState },
  biddingStrategy: {
    label: 'Bidding strategy',
    kind: 'word',
    column: 'bidding_strategy',
    part: { column: 'bidding', key: 'strategy' },
    schema: word,
    edit: v.picklist(biddingStrategies, 'Must be a bidding strategy'),
    isSortable: true,
    port: 'bidding.strategy',
    adTypes: ['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS'],
  },
  /** A change lists all of them: a placement that is left out gets no adjustment. */
  placements: {
    label: 'Placements',
    kind: 'json',
    column: 'bidding',
    part: { column: 'bidding', key: 'placements' },
    schema: v.array(v.object({ placement: v.string(), percentage: v.number() })),
    edit: newPlacements,
    port: 'bidding',
    adTypes: ['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS'],
    isSame: (a: readonly PlacementBid[], b: readonly PlacementBid[]) => raised(a) === raised(b),
  },
  startDate: {
    label: 'First day',
    kind: 'day',
    column: 'start_date',
    schema: v.nullable(day),
    edit: day,
    isSortable: true,
    port: 'startDate',
    help: 'Can be changed until the campaign starts.',
  },
  endDate: {
    label: 'Last day',
    kind: 'day',
    column: 'end_date',
    schema: v.nullable(day),
    edit: v.nullable(day),
    isSortable: true,
    port: 'endDate',
    help: 'Leave it empty to run without an end.',
  },
  portfolioId: {
    label: 'Portfolio',
    kind: 'word',
    column: 'portfolio_amazon_id',
    schema: word,
    edit: v.nullable(v.pipe(v.string('Must be a portfolio'), v.regex(/^\d{1,20}$/, 'Must be a portfolio'))),
    port: 'portfolioId',
  },
  ...status,
} as const satisfies Fields

export const adGroupFields = {
  ...identity,
  adType,
  campaignId: parents.campaignId,
  campaignName: { ...campaignName, isSortable: true },
  name: { ...name, label: 'Ad group name', edit: newName('Ad group name', MAX_AD_GROUP_NAME_LENGTH) },
  defaultBid: {
    label: 'Default bid',
    kind: 'money',
    column: 'default_bid_micros',
    schema: v.nullable(money),
    edit: newMoney('Default bid is required'),
    isSortable: true,
    port: 'defaultBidMicros',
    adTypes: ['SPONSORED_PRODUCTS', 'SPONSORED_DISPLAY'],
    help: 'For everything in the ad group without its own bid.',
  },
  /** REACH goes with campaigns that pay for views, the others with those that pay for clicks. */
  bidOptimization: {
    label: 'Bids optimized for',
    kind: 'word',
    column: 'bid_optimization',
    schema: word,
    edit: v.picklist(['CLICKS', 'CONVERSIONS', 'REACH'], 'Must be CLICKS, CONVERSIONS or REACH'),
    port: 'bidOptimization',
    adTypes: ['SPONSORED_DISPLAY'],
  },
  state: { ...state, edit: newState },
  ...status,
} as const satisfies Fields

/** The mirrored entities: their table, their fields, and whether people edit them here. */
export const entities = {
  campaign: { table: 'campaign', parent: null, isEditable: true, fields: campaignFields },
  adGroup: { table: 'ad_group', parent: 'campaign', isEditable: true, fields: adGroupFields },
  ad: { table: 'product_ad', parent: 'adGroup', isEditable: true, fields: adFields },
  target: { table: 'target', parent: 'adGroup', isEditable: true, fields: targetFields },
  negative: { table: 'negative', parent: 'adGroupOrCampaign', isEditable: false, fields: negativeFields },
} as const
export type EntityName = keyof typeof entities
export type EditableEntity = Exclude<EntityName, 'negative'>
