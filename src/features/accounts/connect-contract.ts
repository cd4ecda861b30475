import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, queryId } from '#shared/query-schemas.ts'
import { amazonProfileSchema, merchantSchema } from './contract.ts'

const adsConnected = v.object({
  connectionId: id,
  kind: v.literal('AMAZON_ADS'),
  profiles: v.array(amazonProfileSchema),
  /** Names of the accounts left out because someone else's merchant holds them. */
  taken: v.array(v.string()),
})
const sellerConnected = v.object({ connectionId: id, kind: v.literal('SELLING_PARTNER'), merchant: merchantSchema })
export type AdsConnected = v.InferOutput<typeof adsConnected>
export type SellerConnected = v.InferOutput<typeof sellerConnected>

const state = v.pipe(v.string('The state is missing'), v.minLength(1, 'The state is missing'), v.maxLength(500))
const shortText = v.pipe(v.string(), v.minLength(1), v.maxLength(2000))
// A refused consent comes back with `error` in place of the code.
const refusal = { error: v.optional(shortText), error_description: v.optional(shortText) }
const adsCallback = { code: v.optional(shortText), state, ...refusal }
const sellerCallback = {
  spapi_oauth_code: v.optional(shortText),
  selling_partner_id: v.optional(v.pipe(v.string(), v.regex(/^[A-Z0-9]{4,32}$/, 'Must be a selling partner id'))),
  state,
  ...refusal,
}
const anyCallbackBody = v.strictObject({ ...adsCallback, ...sellerCallback })
export type CallbackInput = v.InferInput<typeof anyCallbackBody>

const loginQuery = v.strictObject({
  regionId: queryId,
  merchantId: v.optional(queryId),
  /** Which country's console asks for the consent; the region's first when absent. */
  marketplaceId: v.optional(queryId),
})
const login = {
  method: 'GET',
  access: 'connecting',
  response: v.object({ url: v.string() }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
} as const
const callback = {
  method: 'POST',
  access: 'account',
  errors: [
    'OAUTH_STATE_INVALID',
    'OAUTH_CODE_INVALID',
    'OAUTH_REFUSED',
    'NO_PROFILES',
    'MERCHANT_TAKEN',
    'FORBIDDEN',
    'UPSTREAM_FAILED',
    'UPSTREAM_UNAVAILABLE',
  ],
} as const

// The marketplace's ids of profiles have up to 17 digits; a string is taken as well, for those beyond 2^53.
const amazonProfileId = v.pipe(
  v.union(
    [v.pipe(v.number(), v.safeInteger(), v.minValue(1)), v.pipe(v.string(), v.regex(/^\d{1,20}$/))],
    'Must be an id',
  ),
  v.transform(String),
)

/** Consents and what they bring: needed by few screens, so that the first visit does not carry them. */
export const connectEndpoints = {
  adsLogin: defineEndpoint({
    ...login,
    path: '/amazon/ads/login',
    summary: 'Where to send the browser to connect advertising accounts',
    query: loginQuery,
  }),
  sellerLogin: defineEndpoint({
    ...login,
    path: '/amazon/sp/login',
    summary: 'Where to send the browser to connect a seller account',
    query: loginQuery,
  }),
  reconnect: defineEndpoint({
    ...login,
    path: '/amazon/login/:id',
    summary: 'Where to send the browser to authorise a connection again',
    params: v.strictObject({ id: queryId }),
  }),
  adsCallback: defineEndpoint({
    ...callback,
    path: '/amazon/ads/callback',
    summary: 'Completes the consent to advertising accounts',
    body: v.strictObject(adsCallback),
    response: adsConnected,
  }),
  sellerCallback: defineEndpoint({
    ...callback,
    path: '/amazon/sp/callback',
    summary: 'Completes the consent to a seller account',
    body: v.strictObject(sellerCallback),
    response: sellerConnected,
  }),
  anyCallback: defineEndpoint({
    ...callback,
    path: '/amazon/callback',
    summary: 'Completes either consent, by what its state says',
    body: anyCallbackBody,
    response: v.variant('kind', [adsConnected, sellerConnected]),
  }),
  connectProfiles: defineEndpoint({
    method: 'POST',
    path: '/user/amazon/connect',
    access: 'connecting',
    summary: 'Takes advertising accounts into management and starts their import',
    body: v.strictObject({
      merchantId: id,
      amazonProfileIds: v.pipe(
        v.array(amazonProfileId),
        v.minLength(1, 'Choose at least one advertising account'),
        v.maxLength(500),
      ),
    }),
    response: v.array(amazonProfileSchema),
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  }),
  selectProfile: defineEndpoint({
    method: 'POST',
    path: '/user/amazon/select',
    access: 'account',
    authority: 'MEMBER',
    summary: 'Makes the merchant and marketplace of an advertising account the current ones',
    body: v.strictObject({ amazonProfileId }),
    response: amazonProfileSchema,
    errors: ['NOT_FOUND'],
  }),
}
