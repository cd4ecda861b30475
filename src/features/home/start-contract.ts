import * as v from 'valibot'
import { marketplaceSchema, merchantSchema } from '#features/accounts/contract.ts'
import { subscriptionSchema } from '#features/subscription/contract.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { queryBoolean } from '#shared/query-schemas.ts'
import { homeEndpoints } from './contract.ts'
import { homePaths } from './paths.ts'

/** Apart from the contract of the screen, which needs none of it: a script asks this before the app's code has arrived. */
export const startEndpoint = defineEndpoint({
  method: 'GET',
  path: homePaths.start,
  access: 'account',
  summary: 'What the app asks first, in one answer: who is signed in, with what, and the cards of the usual days',
  query: v.strictObject({ cards: v.optional(queryBoolean, true) }),
  response: v.object({
    merchants: v.array(merchantSchema),
    /** Null where none is chosen, or there is none: the call of its own tells why. */
    currentMerchant: v.nullable(merchantSchema),
    currentMarketplace: v.nullable(marketplaceSchema),
    subscription: v.nullable(subscriptionSchema),
    cards: v.nullable(homeEndpoints.cards.response),
  }),
})
