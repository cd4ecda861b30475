import { formatFullDay, formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { type EditableEntity, entities } from '#features/structure/contract.ts'
import type { BiddingStrategy, Placement } from '#shared/campaign-rules.ts'
import type { Field, Fields } from '#shared/fields.ts'

const words: Record<string, string> = {
  EXACT: 'Exact',
  PHRASE: 'Phrase',
  BROAD: 'Broad',
  NEGATIVE_EXACT: 'Negative exact',
  NEGATIVE_PHRASE: 'Negative phrase',
  NEGATIVE_BROAD: 'Negative broad',
}
/** What a match type is called. */
export const matchWords = (matchType: string | null): string => (matchType ? (words[matchType] ?? matchType) : '–')

/** The strategies as the marketplace's own console calls them. */
export const strategies: Record<BiddingStrategy, { label: string; hint: string }> = {
  SALES_DOWN_ONLY: {
    label: 'Dynamic bids: down only',
    hint: 'Bids are lowered when a click is less likely to become a sale.',
  },
  SALES_UP_AND_DOWN: {
    label: 'Dynamic bids: up and down',
    hint: 'Bids are also raised, to at most double, when a sale is more likely.',
  },
  MANUAL: { label: 'Fixed bids', hint: 'Every bid is used as it is, adjusted by placement only.' },
  RULE_BASED: {
    label: 'By a rule',
    hint: 'A bidding rule in the marketplace’s advertising console sets the bids. Choosing another strategy ends this.',
  },
  AUTOMATIC_SALES: {
    label: 'Automatic: sales',
    hint: 'Below the top of search the marketplace sets the bids so that they bring sales.',
  },
  AUTOMATIC_NEW_TO_BRAND: {
    label: 'Automatic: new customers',
    hint: 'Below the top of search the marketplace sets the bids so that they bring customers who are new to the brand.',
  },
}

/** The placements as the marketplace's own console calls them. */
export const placementLabels: Record<Placement, string> = {
  TOP_OF_SEARCH: 'Top of search',
  PRODUCT_PAGE: 'Product pages',
  REST_OF_SEARCH: 'Rest of search',
  SITE_AMAZON_BUSINESS: 'Amazon Business',
  HOME_PAGE: 'Home page',
  OTHER_PLACEMENTS: 'Other placements',
}

const wordLabels: Partial<Record<string, Record<string, string>>> = {
  state: { ENABLED: 'Enabled', PAUSED: 'Paused', ARCHIVED: 'Archived', PROPOSED: 'Proposed' },
  targetingType: { AUTO: 'Automatic', MANUAL: 'Manual' },
  adType: {
    SPONSORED_PRODUCTS: 'Sponsored Products',
    SPONSORED_BRANDS: 'Sponsored Brands',
    SPONSORED_DISPLAY: 'Sponsored Display',
  },
  matchType: words,
  costType: { CPC: 'Clicks', VCPM: 'A thousand viewable impressions' },
  tactic: { PRODUCTS: 'Products and categories', AUDIENCES: 'Audiences' },
  bidOptimization: { CLICKS: 'Page visits', CONVERSIONS: 'Conversions', REACH: 'Viewable impressions' },
  format: {
    PRODUCT_COLLECTION: 'Product collection',
    STORE_SPOTLIGHT: 'Store spotlight',
    VIDEO: 'Video',
    BRAND_VIDEO: 'Brand video',
  },
  biddingStrategy: {
    ...Object.fromEntries(Object.entries(strategies).map(([name, { label }]) => [name, label])),
    OTHER: 'Another strategy',
  },
}

/** What an input or a cell shows of a field. */
export type FieldValue = string | number | null

/** The values of a field of which one is chosen, with what they are called. */
export const optionsOf = (name: string): { value: string; label: string }[] =>
  Object.entries(wordLabels[name] ?? {}).map(([value, label]) => ({ value, label }))

/** The value of a field as people read it. */
export function formatField(name: string, { kind }: Pick<Field, 'kind'>, value: FieldValue, currency: string): string {
  if (value === null || value === '') return 'None'
  if (kind === 'money') return formatMoney(Number(value), currency)
  if (kind === 'percent') return formatPercent(Number(value), 1)
  if (kind === 'day') return formatFullDay(String(value))
  return wordLabels[name]?.[String(value)] ?? String(value)
}

/** The rows that are edited; keywords and targets are changed by calls of their own. */
export type RowKind = EditableEntity | 'keyword'

/** The fields of a row by its kind. */
export const fieldsOfKind = (kind: RowKind): Fields => entities[kind === 'keyword' ? 'target' : kind].fields

const verbs: Record<string, string> = { ENABLED: 'Enable', PAUSED: 'Pause', ARCHIVED: 'Archive' }

function describeOne(name: string, field: Field | undefined, value: FieldValue, currency: string): string {
  if (name === 'state') return verbs[String(value)] ?? String(value)
  if (!field || field.kind === 'json') return field?.label ?? name
  if (value === null) return `No ${lowerFirst(field.label)}`
  const shown = formatField(name, field, value, currency)
  if (field.kind === 'word') return shown
  return field.kind === 'text' ? `${field.label} “${shown}”` : `${field.label} ${shown}`
}

// ACOS and ASIN stay capitals.
const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** What a change does, for people: "Pause, daily budget $30.00". */
export function describeChange(kind: RowKind, set: object, currency: string): string {
  const fields = fieldsOfKind(kind)
  const parts = Object.entries(set).map(([name, value]) =>
    describeOne(name, fields[name], value as FieldValue, currency),
  )
  return parts.map((part, i) => (i === 0 ? part : lowerFirst(part))).join(', ')
}
