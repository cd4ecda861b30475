import type { ErrorReply, ErrorWording } from '../core/error-wording.ts'

export interface ErrorDetails {
  type?: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  code?: string
  message: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: unknown
  setup_intent?: unknown
  payment_method?: unknown
}

/** An error answer: its status, and the content of `error`. What was changed before it was thrown stays when `keeps` is set. */
export class StripeError extends Error {
  readonly status: number
  readonly details: ErrorDetails
  readonly keeps: boolean

  constructor(status: number, details: ErrorDetails, { keeps = false } = {}) {
    super(details.message)
    this.status = status
    this.details = details
    this.keeps = keeps
  }

  get reply(): ErrorReply {
    const { code } = this.details
    const docs =
      code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }
    return { status: this.status, body: { error: { type: 'invalid_request_error', ...this.details, ...docs } } }
  }
}

/** A request that cannot be served as it is. */
export const invalid = (message: string, details: Omit<ErrorDetails, 'message'> = {}, status = 400): StripeError =>
  new StripeError(status, { ...details, message })

const nouns: Record<string, string> = {
  payment_method: 'PaymentMethod',
  setup_intent: 'setupintent',
  subscription_item: 'subscription item',
}

/** An id that leads nowhere: 404 for the object of the call itself, 400 for one in its parameters. */
export function noSuch(kind: string, id: string, param = 'id'): StripeError {
  const details = { code: 'resource_missing', param }
  return invalid(`No such ${nouns[kind] ?? kind}: '${id}'`, details, param === 'id' ? 404 : 400)
}

export const unrecognizedUrl = (method: string, path: string): StripeError =>
  invalid(
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    {},
    404,
  )

const reply = (status: number, error: Partial<ErrorDetails>): ErrorReply => ({
  status,
  body: { error: { type: 'invalid_request_error', ...error } },
})

/** How the API words what goes wrong before a call is carried out. */
export const stripeWording: ErrorWording = {
  throttled: () =>
    reply(429, {
      code: 'rate_limit',
      message: 'Request rate limit exceeded. Learn more about rate limits at https://stripe.com/docs/rate-limits.',
    }),
  failed: (request, status) => {
    if (status === 404) return unrecognizedUrl(request.method, request.url.replace(/^\/stripe/, '')).reply
    if (status < 500) return reply(status, { message: 'The request could not be understood.' })
    return reply(status, { type: 'api_error', message: 'An unknown error occurred.' })
  },
  expiredToken: () => reply(401, { code: 'api_key_expired', message: 'Expired API Key provided.' }),
  revokedGrant: () => reply(401, { message: 'Invalid API Key provided.' }),
}
