import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, queryId } from '#shared/query-schemas.ts'
import { guardPaths } from './paths.ts'

export const connectionKind = v.picklist(['AMAZON_ADS', 'SELLING_PARTNER'])
/** The two consents: advertising accounts, and the seller account itself. */
export type ConnectionKind = v.InferOutput<typeof connectionKind>

const instant = v.pipe(v.string(), v.isoTimestamp())

export const marketplaceSchema = v.object({
  id: v.number(),
  amazonId: v.string(),
  name: v.string(),
  key: v.string(),
  currency: v.string(),
})
export type Marketplace = v.InferOutput<typeof marketplaceSchema>

const regionSchema = v.object({ id: v.number(), name: v.string(), marketPlaces: v.array(marketplaceSchema) })
export type Region = v.InferOutput<typeof regionSchema>

const merchantFields = {
  id,
  name: v.string(),
  accountType: v.picklist(['SELLER', 'VENDOR']),
  regionId: v.number(),
  regionName: v.string(),
}
export const merchantSchema = v.object(merchantFields)
export type Merchant = v.InferOutput<typeof merchantSchema>

/** CONNECTED works; LOST was revoked by the user or the marketplace and needs a new consent. */
const connectionHealth = v.picklist(['CONNECTED', 'LOST', 'DISCONNECTED'])

const connectionSchema = v.object({
  id,
  kind: connectionKind,
  health: connectionHealth,
  connectedAt: instant,
  lostAt: v.nullable(instant),
})
export type Connection = v.InferOutput<typeof connectionSchema>

/** An advertising account. The marketplace's own id is a number on the wire, as it gives it. */
export const amazonProfileSchema = v.object({
  id,
  amazonProfileId: v.number(),
  countryCode: v.string(),
  currencyCode: v.string(),
  dailyBudget: v.nullable(v.number()),
  timezone: v.string(),
  merchantId: v.nullable(v.number()),
  accountType: v.picklist(['SELLER', 'VENDOR']),
  accountSubType: v.nullable(v.string()),
  accountName: v.string(),
  validPaymentMethod: v.boolean(),
  campaignPrefix: v.nullable(v.string()),
  adSpendPercentage: v.nullable(v.number()),
  region: v.string(),
  marketplace: marketplaceSchema,
  dateCreated: instant,
  dateUpdated: instant,
  lastFetched: v.nullable(instant),
  isManaged: v.nullable(v.boolean()),
})
export type AmazonProfile = v.InferOutput<typeof amazonProfileSchema>

const merchantDetailSchema = v.object({
  ...merchantFields,
  /** What the user is to this merchant: a viewer changes nothing. */
  role: v.picklist(['OWNER', 'VIEWER']),
  connections: v.array(connectionSchema),
  profiles: v.array(amazonProfileSchema),
})
export type MerchantDetail = v.InferOutput<typeof merchantDetailSchema>

const byId = v.strictObject({ id: queryId })

const read = { method: 'GET', access: 'account' } as const
const choose = { method: 'PATCH', access: 'account', authority: 'MEMBER', errors: ['NOT_FOUND'] } as const

export const profileEndpoints = {
  regions: defineEndpoint({
    ...read,
    path: '/regions',
    summary: 'The advertising regions and the marketplaces of each',
    response: v.array(regionSchema),
  }),
  merchants: defineEndpoint({
    ...read,
    path: guardPaths.merchants,
    summary: 'The merchants of the user',
    response: v.array(merchantSchema),
  }),
  merchant: defineEndpoint({
    ...read,
    path: '/profile/merchant/:id',
    summary: 'One merchant with its connections, their health, and its advertising accounts',
    params: byId,
    response: merchantDetailSchema,
    errors: ['NOT_FOUND'],
  }),
  disconnectMerchant: defineEndpoint({
    method: 'DELETE',
    path: '/profile/merchant/:id',
    managing: 'blocked',
    access: 'account',
    summary: 'Disconnects a merchant: its tokens are destroyed now, its data after 30 days',
    params: byId,
    status: 204,
    response: v.null(),
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  }),
  marketplacesOfMerchant: defineEndpoint({
    ...read,
    path: '/profile/merchant/marketplaces/:id',
    summary: 'The marketplaces of a merchant',
    params: byId,
    response: v.array(marketplaceSchema),
    errors: ['NOT_FOUND'],
  }),
  marketplaces: defineEndpoint({
    ...read,
    path: '/profile/marketplaces',
    summary: 'The marketplaces of the current merchant',
    response: v.array(marketplaceSchema),
    errors: ['NOT_FOUND'],
  }),
  merchantsInfo: defineEndpoint({
    ...read,
    path: '/profile/merchants-info',
    summary: 'The merchants that have a connection of a kind, with the marketplaces it reaches',
    query: v.strictObject({ provider: connectionKind }),
    response: v.array(v.object({ merchantId: id, merchantName: v.string(), marketplaces: v.array(v.string()) })),
  }),
  currentMerchant: defineEndpoint({
    ...read,
    path: guardPaths.currentMerchant,
    summary: 'The current merchant',
    response: merchantSchema,
    errors: ['NOT_FOUND'],
  }),
  chooseMerchant: defineEndpoint({
    ...choose,
    path: guardPaths.currentMerchant,
    summary: 'Makes a merchant the current one',
    query: v.strictObject({ merchantId: queryId }),
    response: merchantSchema,
  }),
  currentMarketplace: defineEndpoint({
    ...read,
    path: guardPaths.currentMarketplace,
    summary: 'The current marketplace',
    response: marketplaceSchema,
    errors: ['NOT_FOUND'],
  }),
  chooseMarketplace: defineEndpoint({
    ...choose,
    path: guardPaths.currentMarketplace,
    summary: 'Makes a marketplace of the current merchant the current one',
    query: v.strictObject({ marketplaceId: queryId }),
    response: marketplaceSchema,
  }),
}
