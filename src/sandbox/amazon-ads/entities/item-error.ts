// Reasons by selector, from the Sponsored Products v3 specification; those that never arise here are left out.
const reasons = {
  adEligibilityError: ['AD_INELIGIBLE'],
  biddingError: ['BID_GT_BUDGET', 'BID_OUT_OF_MARKET_PLACE_RANGE', 'BID_INVALID_PLACEMENT'],
  billingError: ['ADVERTISER_BILLING_SETUP_INCOMPLETE'],
  budgetError: [
    'BUDGET_TOO_HIGH',
    'BUDGET_TOO_LOW',
    'BUDGET_LT_DEFAULT_BIDS',
    'BUDGET_CURRENCY_DOES_NOT_MATCH_MARKETPLACE_SETTINGS',
    'MISSING_BUDGETING_POLICY',
  ],
  dateError: [
    'END_DATE_EARLIER_THAN_TODAY',
    'INVALID_DATE',
    'START_DATE_AFTER_END_DATE',
    'START_DATE_EARLIER_THAN_TODAY',
    'START_DATE_EQUAL_END_DATE',
    'START_DATE_NOT_NULL',
    'UPDATING_READ_ONLY_START_DATE',
  ],
  duplicateValueError: ['DUPLICATE_VALUE', 'NAME_NOT_UNIQUE'],
  entityNotFoundError: ['ENTITY_NOT_FOUND'],
  entityQuotaError: ['QUOTA_EXCEEDED'],
  entityStateError: [
    'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED',
    'AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY',
    'PARENT_ARCHIVED_FORBIDS_UPDATES',
  ],
  malformedValueError: ['BLANK', 'FORBIDDEN_CHARS', 'LEADING_OR_TRAILING_WHITESPACE', 'TOO_LONG'],
  missingValueError: ['MISSING_VALUE'],
  otherError: ['OTHER_ERROR'],
  parentEntityError: ['PARENT_ENTITY_ARCHIVED', 'PARENT_ENTITY_NOT_FOUND'],
  productIdentifierError: ['INVALID_ASIN', 'INVALID_SKU'],
  rangeError: ['TOO_HIGH', 'TOO_LOW', 'NOT_IN_LIST'],
  targetingClauseSetupError: [
    'AUTO_TARGETING_CLAUSE_CANNOT_BE_CREATED_MANUALLY',
    'TARGETING_EXPRESSION_INVALID_VALUE',
    'TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN',
    'TYPE_CONFLICT_IN_AD_GROUP',
  ],
} as const
type Reason = (typeof reasons)[keyof typeof reasons][number]

const selectorOf = new Map<string, string>(
  Object.entries(reasons).flatMap(([selector, own]) => own.map(reason => [reason, selector])),
)
const aboutEntities = new Set(['entityNotFoundError', 'entityStateError'])

type At = Record<string, unknown>

/** An error of one item of a batch; it does not affect the others. */
export class ItemError extends Error {
  readonly selector: string
  readonly reason: string
  /** The field at fault, below the item: `bid`, `budget.budget`, `expression[0].value`. */
  readonly field?: string | undefined
  private readonly trigger: unknown
  private readonly more: Record<string, string>

  constructor(selector: string, reason: string, message: string, at: At = {}, more: Record<string, string> = {}) {
    super(message)
    this.selector = selector
    this.reason = reason
    ;[this.field, this.trigger] = Object.entries(at)[0] ?? []
    this.more = more
  }

  /**
   * In the vendor's wording; `place` is the item's path, such as `$.keywords[1]`. Errors about an entity name its type.
   * Some families have few selectors; an error of another one is reported as `otherError`.
   */
  toWire(place: string, entityType: string, selectors?: readonly string[]): object {
    const { reason, message, trigger } = this
    const isKnown = !selectors || selectors.includes(this.selector)
    const selector = isKnown ? this.selector : 'otherError'
    const cause = {
      location: this.field ? `${place}.${this.field}` : place,
      ...(trigger !== undefined && { trigger: typeof trigger === 'string' ? trigger : JSON.stringify(trigger) }),
    }
    const more = { ...(aboutEntities.has(selector) && { entityType }), ...(isKnown && this.more) }
    return { errorType: selector, errorValue: { [selector]: { reason, message, cause, ...more } } }
  }
}

/**
 * An item error, with the selector of its reason: `at` is the field at fault with its value, `more` what only this
 * selector has, such as limits.
 */
export const itemError = (reason: Reason, message: string, at?: At, more?: Record<string, string>): ItemError =>
  new ItemError(selectorOf.get(reason) ?? '', reason, message, at, more)

/** Throws the first error of a list that applies. */
export function throwFirst(rules: readonly [applies: boolean, ...error: Parameters<typeof itemError>][]): void {
  for (const [applies, ...error] of rules) if (applies) throw itemError(...error)
}
