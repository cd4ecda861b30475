// Reasons of the marketplace's item errors (its Sponsored Products v3 specification), in a seller's words.
const words: Record<string, string> = {
  NAME_NOT_UNIQUE: 'Another campaign of the account has this name.',
  DUPLICATE_VALUE: 'Another campaign of the account has this name.',
  LEADING_OR_TRAILING_WHITESPACE: 'The name must not begin or end with a space.',
  TOO_LONG: 'The name is too long for the marketplace.',
  BLANK: 'The name must not be empty.',
  FORBIDDEN_CHARS: 'The name has characters that the marketplace does not take.',
  BUDGET_TOO_LOW: 'The budget is lower than the marketplace takes.',
  BUDGET_TOO_HIGH: 'The budget is higher than the marketplace takes.',
  TOO_LOW: 'The amount is lower than the marketplace takes.',
  TOO_HIGH: 'The amount is higher than the marketplace takes.',
  BID_GT_BUDGET: 'A bid must not be higher than the campaign’s daily budget.',
  BID_OUT_OF_MARKET_PLACE_RANGE: 'The bid is outside of what the marketplace takes.',
  ENTITY_NOT_FOUND: 'The marketplace no longer has it.',
  PARENT_ENTITY_NOT_FOUND: 'The marketplace no longer has its campaign.',
  ARCHIVED_ENTITY_CANNOT_BE_MODIFIED: 'It was archived at the marketplace and cannot be changed.',
  PARENT_ARCHIVED_FORBIDS_UPDATES: 'Its campaign was archived at the marketplace, so it cannot be changed.',
  PARENT_ENTITY_ARCHIVED: 'Its campaign was archived at the marketplace, so it cannot be changed.',
  ADVERTISER_BILLING_SETUP_INCOMPLETE: 'The advertising account has no valid payment method at the marketplace.',
}

/** Why the marketplace refused a change, for people: what it was about, else its own message. */
export const refusalWords = (reason: string, message: string): string =>
  words[reason] ?? `The marketplace refused the change: ${message}`
