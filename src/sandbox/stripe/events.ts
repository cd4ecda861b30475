import type Stripe from 'stripe'
import { type Account, API_VERSION, randomText } from './account.ts'
import { givenFields, type Handlers, type ListParams, mergeMetadata, pageOf } from './calls.ts'
import type { StripeEvent, WebhookEndpoint } from './model.ts'
import { presentObject } from './present.ts'
import { invalid } from './stripe-error.ts'

const matches = (type: string, pattern: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern

function checkUrl(url: string | undefined): void {
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw invalid('Invalid URL: An explicit scheme (such as https) must be provided.', {
      code: 'url_invalid',
      param: 'url',
    })
}

/** Adds an endpoint, with a new secret unless one is chosen. */
export function addEndpoint(
  account: Account,
  {
    url,
    enabled_events = ['*'],
    secret = `whsec_${randomText(32)}`,
    description = null,
    metadata = {},
  }: {
    url: string
    enabled_events?: readonly string[]
    secret?: string
    description?: string | null
    metadata?: unknown
  },
): WebhookEndpoint {
  checkUrl(url)
  return account.add('webhook_endpoint', {
    api_version: API_VERSION,
    description,
    enabled_events: [...enabled_events],
    metadata: mergeMetadata(null, metadata),
    status: 'enabled',
    url,
    _secret: secret,
  } as Partial<WebhookEndpoint>)
}

/** Whether an event has reached all of its endpoints. */
const isDelivered = (event: StripeEvent): boolean => event.pending_webhooks === 0

export const eventHandlers = {
  'events.retrieve': (account, _params, { id }) => account.get('event', id),
  'events.list': (account, params: Stripe.EventListParams, at) => {
    const { type, types, delivery_success: success } = params
    if (type && types) throw invalid('You may only specify one of these parameters: type, types.')
    const found = account
      .all('event')
      .filter(
        one =>
          (!type || matches(one.type, type)) &&
          (!types || types.some(pattern => matches(one.type, pattern))) &&
          (success === undefined || isDelivered(one) === success),
      )
    return pageOf(account, found, params as ListParams, at)
  },
  'webhookEndpoints.create': (account, params: Stripe.WebhookEndpointCreateParams) => {
    const endpoint = addEndpoint(account, {
      url: params.url,
      enabled_events: params.enabled_events,
      description: params.description || null,
      metadata: params.metadata,
    })
    // Only this answer has the secret.
    return { ...presentObject(account, endpoint), secret: endpoint._secret }
  },
  'webhookEndpoints.retrieve': (account, _params, { id }) => account.get('webhook_endpoint', id),
  'webhookEndpoints.update': (account, params: Stripe.WebhookEndpointUpdateParams, { id }) => {
    const endpoint = account.get('webhook_endpoint', id)
    checkUrl(params.url)
    account.change(endpoint, {
      ...(givenFields(params, ['description', 'enabled_events', 'url']) as Partial<WebhookEndpoint>),
      ...(params.disabled !== undefined && { status: params.disabled ? 'disabled' : 'enabled' }),
      metadata: mergeMetadata(endpoint.metadata, params.metadata),
    } as Partial<WebhookEndpoint>)
    return endpoint
  },
  'webhookEndpoints.list': (account, params: Stripe.WebhookEndpointListParams, at) =>
    pageOf(account, account.all('webhook_endpoint'), params as ListParams, at),
  'webhookEndpoints.del': (account, _params, { id }) => {
    account.remove(account.get('webhook_endpoint', id))
    return { id, object: 'webhook_endpoint', deleted: true }
  },
} satisfies Partial<Handlers>
