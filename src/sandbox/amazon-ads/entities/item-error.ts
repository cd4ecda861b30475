/**
 * Reasons by selector, from the Sponsored Products v3 specification. Selectors that never arise here (currency, locale,
 * entity quota, ...) are left out, but for those a test may order by a fault.
 */
export const itemErrorReasons = {
  adEligibilityError: ['AD_INELIGIBLE'],
  biddingError: ['BID_GT_BUDGET', 'BID_OUT_OF_MARKET_PLACE_RANGE', 'BID_INVALID_PLACEMENT'],
  billingError: ['ADVERTISER_BILLING_SETUP_INCOMPLETE', 'ADVERTISER_SUSPENDED', 'EXPIRED_PAYMENT_METHOD'],
  budgetError: [
    'BUDGET_TOO_HIGH',
    'BUDGET_TOO_LOW',
    'BUDGET_LT_DEFAULT_BIDS',
    'BUDGETING_POLICY_INVALID',
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
  entityQuotaError: ['QUOTA_EXCEEDED', 'NON_ARCHIVED_QUOTA_EXCEEDED'],
  entityStateError: [
    'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED',
    'AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY',
    'PARENT_ARCHIVED_FORBIDS_UPDATES',
  ],
  internalServerError: ['INTERNAL_ERROR'],
  malformedValueError: [
    'BLANK',
    'FORBIDDEN_CHARS',
    'LEADING_OR_TRAILING_WHITESPACE',
    'PATTERN_NOT_MATCHED',
    'TOO_LONG',
  ],
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
  throttledError: ['THROTTLED'],
} as const
export type Selector = keyof typeof itemErrorReasons
type ReasonOf<S extends Selector> = (typeof itemErrorReasons)[S][number]

export interface ItemErrorDetail {
  message: string
  /** The field at fault, below the item: `bid`, `budget.budget`, `expression[0].value`. */
  field?: string
  /** The value at fault. */
  trigger?: unknown
  /** Parts of the answer that only this selector has: limits, entity ids. */
  more?: Record<string, string>
}

const aboutEntities = new Set(['entityNotFoundError', 'entityStateError'])

/** An error of one item of a batch; it does not affect the others. */
export class ItemError extends Error {
  readonly selector: string
  readonly reason: string
  readonly detail: ItemErrorDetail

  constructor(selector: string, reason: string, detail: ItemErrorDetail) {
    super(detail.message)
    this.selector = selector
    this.reason = reason
    this.detail = detail
  }

  /**
   * In the vendor's wording; `place` is the item's path, such as `$.keywords[1]`. Errors about an entity name its
   * type.
   */
  toWire(place: string, entityType: string): object {
    const { message, field, trigger, more } = this.detail
    return {
      errorType: this.selector,
      errorValue: {
        [this.selector]: {
          reason: this.reason,
          message,
          cause: {
            location: field ? `${place}.${field}` : place,
            ...(trigger !== undefined && { trigger: typeof trigger === 'string' ? trigger : JSON.stringify(trigger) }),
          },
          ...(aboutEntities.has(this.selector) && { entityType }),
          ...more,
        },
      },
    }
  }
}

/** An item error with a reason of its selector. */
export const itemError = <S extends Selector>(selector: S, reason: ReasonOf<S>, detail: ItemErrorDetail): ItemError =>
  new ItemError(selector, reason, detail)
