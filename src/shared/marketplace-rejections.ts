/** What a rejection by the marketplace means to a seller. */
interface Rejection {
  message: string
  /** The message for a change of one campaign or target, where it differs. */
  change?: string
  /** What to do about it in a launch; follows `message`. */
  next?: string
  /**
   * PAYLOAD: the launch was asked for something impossible, so a retry is rejected again. SETTINGS: the payload, or a setting at
   * the marketplace, needs a change, so a retry may help. FOLLOWS: it failed only because another item did. Absent: a retry may
   * help.
   */
  cause?: 'PAYLOAD' | 'SETTINGS' | 'FOLLOWS'
  /** The field of a launch that needs a change, whatever was rejected. */
  field?: 'budget' | 'campaignName'
}

// Reasons in capitals are the marketplace's own (Sponsored Products v3 specification); the second group is Tideline's.
const rejections: Readonly<Record<string, Rejection>> = {
  NAME_NOT_UNIQUE: {
    message: 'A campaign of this name exists already.',
    change: 'Another campaign of the account has this name.',
    next: 'Launch again under another name.',
    cause: 'PAYLOAD',
    field: 'campaignName',
  },
  DUPLICATE_VALUE: {
    message: 'This exists already.',
    change: 'Another campaign of the account has this name.',
    cause: 'PAYLOAD',
  },
  TOO_LOW: {
    message: 'The bid is below the marketplace’s minimum.',
    change: 'The amount is below the marketplace’s minimum.',
    next: 'Launch it again with a higher bid.',
    cause: 'PAYLOAD',
  },
  TOO_HIGH: {
    message: 'The bid is above the marketplace’s maximum.',
    change: 'The amount is above the marketplace’s maximum.',
    next: 'Launch it again with a lower bid.',
    cause: 'PAYLOAD',
  },
  BID_OUT_OF_MARKET_PLACE_RANGE: {
    message: 'The bid is outside the range that the marketplace accepts.',
    next: 'Launch it again with another bid.',
    cause: 'PAYLOAD',
  },
  BID_GT_BUDGET: {
    message: 'The bid is higher than the campaign’s daily budget.',
    next: 'Raise that budget, then retry.',
    cause: 'SETTINGS',
    field: 'budget',
  },
  BUDGET_TOO_LOW: {
    message: 'The budget is below the marketplace’s minimum.',
    next: 'Launch again with a higher one.',
    cause: 'PAYLOAD',
    field: 'budget',
  },
  BUDGET_TOO_HIGH: {
    message: 'The budget is above the marketplace’s maximum.',
    next: 'Launch again with a lower one.',
    cause: 'PAYLOAD',
    field: 'budget',
  },
  BUDGET_LT_DEFAULT_BIDS: {
    message: 'The daily budget is lower than the ad group’s default bid.',
    next: 'Raise that budget, then retry.',
    cause: 'SETTINGS',
    field: 'budget',
  },
  FORBIDDEN_CHARS: {
    message: 'It has a character that the marketplace does not accept.',
    change: 'The name has characters that the marketplace does not accept.',
    next: 'Launch it again without that.',
    cause: 'PAYLOAD',
  },
  LEADING_OR_TRAILING_WHITESPACE: { message: 'The name must not begin or end with a space.', cause: 'SETTINGS' },
  TOO_LONG: { message: 'The name is too long for the marketplace.', cause: 'SETTINGS' },
  BLANK: { message: 'The name must not be empty.', cause: 'SETTINGS' },
  INVALID_SKU: {
    message: 'The marketplace does not know this SKU, or it cannot be advertised now.',
    cause: 'SETTINGS',
  },
  INVALID_ASIN: {
    message: 'The marketplace does not know this ASIN, or it cannot be advertised now.',
    cause: 'SETTINGS',
  },
  ADVERTISER_BILLING_SETUP_INCOMPLETE: {
    message: 'The advertising account has no valid payment method at the marketplace.',
    next: 'Add one in the marketplace’s console, then retry.',
  },
  PARENT_ENTITY_NOT_FOUND: {
    message: 'Its campaign or ad group no longer exists: someone may have removed it in the console.',
  },
  ENTITY_NOT_FOUND: { message: 'It no longer exists: someone may have removed it in the console.' },
  ARCHIVED_ENTITY_CANNOT_BE_MODIFIED: { message: 'It was archived at the marketplace and cannot be changed.' },
  PARENT_ARCHIVED_FORBIDS_UPDATES: {
    message: 'Its campaign was archived at the marketplace, so it cannot be changed.',
  },
  PARENT_ENTITY_ARCHIVED: { message: 'Its campaign was archived at the marketplace, so it cannot be changed.' },
  TYPE_CONFLICT_IN_AD_GROUP: {
    message: 'An ad group cannot hold both keywords and product targets.',
    cause: 'PAYLOAD',
  },
  INTERNAL_ERROR: { message: 'The marketplace had an internal error.', next: 'Retry in a moment.' },
  THROTTLED: { message: 'The marketplace asked us to slow down.', next: 'Retry in a moment.' },

  NOT_YET: {
    message: 'The marketplace has not created the automatic targets yet.',
    next: 'Retry in a moment.',
  },
  OUTCOME_UNKNOWN: {
    message: 'The marketplace’s answer was lost, and it could not be found there afterwards.',
    next: 'Check its console, then retry.',
  },
  NOT_SENT: { message: 'It was not sent.', next: 'Retry in a moment.' },
  REQUEST_REJECTED: { message: 'The marketplace did not accept the request.' },
  PARENT_MISSING: {
    message: 'Not created, because the campaign or ad group for it was not created.',
    cause: 'FOLLOWS',
  },
  KEYWORD_FAILED: {
    message: 'Not created, because its keyword failed: no campaign would reach the term.',
    cause: 'FOLLOWS',
  },
  HELD_BACK: {
    message: 'Not enabled, because something it needs failed.',
    next: 'Retry, or undo the launch.',
    cause: 'FOLLOWS',
  },
  UPSTREAM_UNAUTHORIZED: {
    message: 'The marketplace no longer accepts our permission.',
    next: 'Connect the account again, then retry.',
  },
  UPSTREAM_UNAVAILABLE: {
    message: 'The marketplace could not be reached for a day.',
    next: 'Retry when it is back.',
  },
  INTERNAL: { message: 'Something went wrong on our side.', next: 'Please retry.' },
}

/** What is known about a reason; undefined for one that the table lacks. */
export function rejectionOf(reason: string): Rejection | undefined {
  return Object.hasOwn(rejections, reason) ? rejections[reason] : undefined
}

/** Why an item of a launch failed and what to do; the marketplace's own sentence where the table has none. */
export function launchRejectionMessage(reason: string, marketplaceMessage?: string): string {
  const rejection = rejectionOf(reason)
  if (rejection) return rejection.next ? `${rejection.message} ${rejection.next}` : rejection.message
  return marketplaceMessage ? `The marketplace says: ${marketplaceMessage}` : 'The marketplace rejected it.'
}

/** Why a change of a campaign or target was rejected; the marketplace's own sentence where the table has none. */
export function changeRejectionMessage(reason: string, marketplaceMessage: string): string {
  const rejection = rejectionOf(reason)
  if (rejection) return rejection.change ?? rejection.message
  return `The marketplace rejected the change: ${marketplaceMessage}`
}

/** Why a new keyword, target or negative was rejected; the marketplace's own sentence where the table has none. */
export function creationRejectionMessage(reason: string, marketplaceMessage: string): string {
  return rejectionOf(reason)?.message ?? `The marketplace rejected it: ${marketplaceMessage}`
}

/** False where every failure of a launch comes from its payload, so that a retry would fail as before. */
export function retryMayHelp(launch: { steps: readonly { errors: readonly { reason: string }[] }[] }): boolean {
  const causes = launch.steps
    .flatMap(step => step.errors.map(error => rejectionOf(error.reason)?.cause))
    .filter(cause => cause !== 'FOLLOWS')
  return !causes.length || causes.some(cause => cause !== 'PAYLOAD')
}

/** True where a change of the launch's payload may be what is needed. */
export function isPayloadRejection(reason: string): boolean {
  const rejection = rejectionOf(reason)
  return rejection === undefined || rejection.cause === 'PAYLOAD' || rejection.cause === 'SETTINGS'
}
