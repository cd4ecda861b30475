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
import { day, id, money } from '#shared/query-schemas.ts'

const amount = v.nullable(money)
const word = v.nullable(v.string())
const text = v.string()
function newName(label: string, length: number) {
  return v.pipe(
    v.string(`${label} is required`),
    v.trim(),
    v.nonEmpty(`${label} is required`),
    v.maxLength(length, `At most ${length} characters`),
  )
}
const newAmount = (message: string) => v.pipe(v.number(message), v.finite(message))

export const entityState = v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED', 'PROPOSED'])
/** ARCHIVED is final: the marketplace never reopens an archived entity. */
const newState = v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED'], 'Must be ENABLED, PAUSED or ARCHIVED')

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

const identity = {
  id: { label: 'Id', kind: 'id', column: 'id', schema: id, isSortable: true },
  amazonId: { label: 'Marketplace id', kind: 'word', column: 'amazon_id', schema: text, isSortable: true },
} as const satisfies Fields
/** A budget is for a day or for the whole run; a campaign has one of the two, and never changes to the other. */
const newBudget = {
  edit: newAmount('Valid budget amount is required'),
  isSortable: true,
  isAbsentIfNull: true,
} as const

const adType = {
  label: 'Ad type',
  kind: 'word',
  column: 'ad_type',
  schema: text,
  isSortable: true,
  port: 'adType',
} as const
const parents = {
  campaignId: { label: 'Campaign', kind: 'id', column: 'campaign_id', schema: id },
  adGroupId: { label: 'Ad group', kind: 'id', column: 'ad_group_id', schema: id },
} as const satisfies Fields
const name = { label: 'Name', kind: 'text', column: 'name', schema: text, isSortable: true, port: 'name' } as const
const state = {
  label: 'State',
  kind: 'word',
  column: 'state',
  schema: entityState,
  isSortable: true,
  port: 'state',
} as const
/** Whether the row runs, and how far our change of it has come. */
const status = {
  servingStatus: {
    label: 'Serving status',
    kind: 'word',
    column: 'serving_status',
    schema: word,
    isSortable: true,
    port: 'servingStatus',
  },
  /** PENDING: a change is on its way. FAILED: the marketplace rejected it, and `syncError` says why. */
  syncState: {
    label: 'Sync state',
    kind: 'word',
    column: 'sync_state',
    schema: v.picklist(['SYNCED', 'PENDING', 'FAILED']),
    isSortable: true,
  },
  syncError: { label: 'Rejection', kind: 'word', column: 'sync_error', schema: word },
  version: { label: 'Version', kind: 'id', column: 'version', schema: v.number() },
} as const satisfies Fields
const clause = {
  text: { label: 'Text', kind: 'text', column: 'text', schema: text, isSortable: true, port: 'text' },
  matchType: {
    label: 'Match type',
    kind: 'word',
    column: 'match_type',
    schema: word,
    isSortable: true,
    port: 'matchType',
  },
  expression: {
    label: 'Expression',
    kind: 'json',
    column: 'expression',
    schema: v.unknown(),
    isInternal: true,
    port: 'expression',
  },
} as const satisfies Fields

const campaignName = { label: 'Campaign', kind: 'text', column: 'name', of: 'campaign', schema: text } as const

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
    schema: amount,
    ...newBudget,
    port: 'dailyBudgetMicros',
  },
  lifetimeBudget: {
    label: 'Lifetime budget',
    kind: 'money',
    column: 'lifetime_budget_micros',
    schema: amount,
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
    schema: amount,
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
    isSortable: true,
    port: 'startDate',
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
    schema: amount,
    edit: newAmount('Default bid is required'),
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

export const adFields = {
  ...identity,
  adType,
  ...parents,
  campaignName,
  /** The headline of Sponsored Brands, or the name of the ad where it has none; null of Sponsored Products. */
  name: {
    label: 'Ad name',
    kind: 'text',
    column: 'name',
    schema: word,
    isSortable: true,
    port: 'name',
    adTypes: ['SPONSORED_BRANDS', 'SPONSORED_DISPLAY'],
  },
  /** Of an ad that shows exactly one product. */
  asin: { label: 'ASIN', kind: 'word', column: 'asin', schema: word, isSortable: true, port: 'asin' },
  sku: {
    label: 'SKU',
    kind: 'word',
    column: 'sku',
    schema: word,
    isSortable: true,
    port: 'sku',
    adTypes: ['SPONSORED_PRODUCTS', 'SPONSORED_DISPLAY'],
  },
  /** All products that an ad of Sponsored Brands shows. */
  asins: {
    label: 'Products',
    kind: 'json',
    column: 'asins',
    schema: v.nullable(v.array(v.string())),
    port: 'asins',
    adTypes: ['SPONSORED_BRANDS'],
  },
  /** PRODUCT_COLLECTION, STORE_SPOTLIGHT, VIDEO or BRAND_VIDEO. */
  format: {
    label: 'Format',
    kind: 'word',
    column: 'format',
    schema: word,
    isSortable: true,
    port: 'format',
    adTypes: ['SPONSORED_BRANDS'],
  },
  // Ads are paused, never archived, from here.
  state: { ...state, edit: v.picklist(['ENABLED', 'PAUSED'], 'Must be ENABLED or PAUSED') },
  ...status,
} as const satisfies Fields

/** Keywords, product targets, automatic groups and audiences. */
export const targetFields = {
  ...identity,
  adType,
  ...parents,
  campaignName,
  kind: {
    label: 'Kind',
    kind: 'word',
    column: 'kind',
    schema: v.picklist(['KEYWORD', 'PRODUCT', 'AUTO', 'AUDIENCE']),
    isSortable: true,
    port: 'kind',
  },
  ...clause,
  /** Null: the ad group's default bid applies. */
  bid: {
    label: 'Bid',
    kind: 'money',
    column: 'bid_micros',
    schema: amount,
    edit: newAmount('Bid is required'),
    isSortable: true,
    port: 'bidMicros',
  },
  state: { ...state, edit: newState },
  ...status,
} as const satisfies Fields

/** On an ad group, or on the whole campaign where `adGroupId` is null. */
export const negativeFields = {
  ...identity,
  adType,
  campaignId: parents.campaignId,
  adGroupId: { ...parents.adGroupId, schema: v.nullable(id) },
  kind: {
    label: 'Kind',
    kind: 'word',
    column: 'kind',
    schema: v.picklist(['KEYWORD', 'PRODUCT']),
    isSortable: true,
    port: 'kind',
  },
  ...clause,
  // A negative cannot be paused: it is there or not.
  state: { ...state, edit: v.picklist(['ARCHIVED'], 'Must be ARCHIVED') },
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
