import * as v from 'valibot'

// The marketplace's own answer: nothing in it may keep the page from being drawn.
const text = v.fallback(v.optional(v.pipe(v.string(), v.minLength(1))), undefined)

/** What the marketplace sends back with the browser. Without a state the page says that nothing was started here. */
export const callbackSearch = v.object({
  state: v.fallback(v.pipe(v.string(), v.minLength(1)), ''),
  code: text,
  spapi_oauth_code: text,
  selling_partner_id: text,
  error: text,
  error_description: text,
})

/** The merchant that a consent is for, when it was begun at that merchant. */
export const consentSearch = v.object({
  merchantId: v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined),
})
