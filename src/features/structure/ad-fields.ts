import * as v from 'valibot'
import type { Fields } from '#shared/fields.ts'
import { money, newMoney } from '#shared/money.ts'
import { id } from '#shared/query-schemas.ts'
import { adType, campaignName, identity, newState, parents, state, status, text, word } from './common-fields.ts'

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
  /** The conditions of a product, category, brand or audience, as the marketplace has them; null of a keyword. */
  expression: {
    label: 'Expression',
    kind: 'json',
    column: 'expression',
    schema: v.nullable(v.array(v.object({ type: v.string(), value: v.optional(v.unknown()) }))),
    isHidden: true,
    port: 'expression',
  },
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
    schema: v.nullable(money),
    edit: newMoney('Bid is required'),
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
