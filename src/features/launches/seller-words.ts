/** What the marketplace's reasons mean, in a seller's words. Reasons: Sponsored Products v3 specification. */
const words: Readonly<Record<string, string>> = {
  NAME_NOT_UNIQUE: 'A campaign of this name exists already. Launch again under another name.',
  DUPLICATE_VALUE: 'This exists already.',
  TOO_LOW: 'The bid is lower than the marketplace takes. Launch it again with a higher bid.',
  TOO_HIGH: 'The bid is higher than the marketplace takes. Launch it again with a lower bid.',
  BID_OUT_OF_MARKET_PLACE_RANGE: 'The bid is outside what the marketplace takes. Launch it again with another bid.',
  BID_GT_BUDGET: 'The bid is higher than the campaign’s daily budget. Raise that budget, then retry.',
  BUDGET_TOO_LOW: 'The daily budget is lower than the marketplace takes. Launch again with a higher one.',
  BUDGET_TOO_HIGH: 'The daily budget is higher than the marketplace takes. Launch again with a lower one.',
  BUDGET_LT_DEFAULT_BIDS: 'The daily budget is lower than the ad group’s default bid. Raise that budget, then retry.',
  FORBIDDEN_CHARS: 'It has a character that the marketplace does not take. Launch it again without that.',
  INVALID_SKU: 'The marketplace does not know this SKU, or it cannot be advertised now.',
  INVALID_ASIN: 'The marketplace does not know this ASIN, or it cannot be advertised now.',
  ADVERTISER_BILLING_SETUP_INCOMPLETE:
    'The advertising account has no valid payment method. Add one in the marketplace’s console, then retry.',
  PARENT_ENTITY_NOT_FOUND: 'Its campaign or ad group is gone: someone may have removed it in the console.',
  ENTITY_NOT_FOUND: 'It is gone: someone may have removed it in the console.',
  ARCHIVED_ENTITY_CANNOT_BE_MODIFIED: 'It was archived in the marketplace’s console.',
  TYPE_CONFLICT_IN_AD_GROUP: 'An ad group cannot hold keywords beside product targets.',
  INTERNAL_ERROR: 'The marketplace had a fault of its own. Retry in a moment.',
  THROTTLED: 'The marketplace asked us to slow down. Retry in a moment.',
  NOT_YET: 'The marketplace has not made the automatic targets yet. Retry in a moment.',
  OUTCOME_UNKNOWN:
    'The marketplace’s answer was lost, and it could not be found there afterwards. Check its console, then retry.',
  NOT_SENT: 'It was not sent. Retry in a moment.',
  REQUEST_REJECTED: 'The marketplace did not accept the request.',
  PARENT_MISSING: 'Not made, because what it belongs to was not made.',
  KEYWORD_FAILED: 'Not made, because its keyword failed: the term would be reached by no campaign.',
  HELD_BACK: 'Not switched on: something that it needs failed. Retry, or undo the launch.',
  UPSTREAM_UNAUTHORIZED: 'The marketplace no longer lets us in. Connect the account again, then retry.',
  UPSTREAM_UNAVAILABLE: 'The marketplace could not be reached for a day. Retry when it is back.',
  INTERNAL: 'Something went wrong on our side. Please retry.',
}

/** A refusal as a seller would say it; the marketplace's own sentence follows where we have none. */
export const sellerWords = (reason: string, marketplaceMessage?: string): string =>
  words[reason] ?? (marketplaceMessage ? `The marketplace says: ${marketplaceMessage}` : 'The marketplace refused it.')

// A retry sends what was sent before, which these would meet again.
const lasting: ReadonlySet<string> = new Set([
  'NAME_NOT_UNIQUE',
  'DUPLICATE_VALUE',
  'TOO_LOW',
  'TOO_HIGH',
  'BID_OUT_OF_MARKET_PLACE_RANGE',
  'BUDGET_TOO_LOW',
  'BUDGET_TOO_HIGH',
  'FORBIDDEN_CHARS',
  'TYPE_CONFLICT_IN_AD_GROUP',
])
// Mended at the marketplace or in the settings of the launch, so that a retry may help as well.
const mendable: ReadonlySet<string> = new Set([
  'BID_GT_BUDGET',
  'BUDGET_LT_DEFAULT_BIDS',
  'INVALID_SKU',
  'INVALID_ASIN',
])
// What failed only because something else did.
const following: ReadonlySet<string> = new Set(['PARENT_MISSING', 'KEYWORD_FAILED', 'HELD_BACK'])

/** False where every fault of a launch is in what was asked for, so that a retry would be refused as before. */
export const retryMayHelp = ({ steps }: { steps: readonly { errors: readonly { reason: string }[] }[] }): boolean => {
  const own = steps.flatMap(step => step.errors.map(error => error.reason)).filter(reason => !following.has(reason))
  return !own.length || own.some(reason => !lasting.has(reason))
}

/** True where what was asked for is, or may be, at fault: it is there that a new launch is mended. */
export const isFaultOfAsking = (reason: string): boolean =>
  lasting.has(reason) || mendable.has(reason) || !Object.hasOwn(words, reason)
