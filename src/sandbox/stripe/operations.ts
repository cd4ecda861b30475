/** Every call that the room answers, by its name in the official client, with its method and path. */
export const operations = {
  'products.create': 'POST /v1/products',
  'products.retrieve': 'GET /v1/products/:id',
  'products.update': 'POST /v1/products/:id',
  'products.list': 'GET /v1/products',
  'products.del': 'DELETE /v1/products/:id',
  'prices.create': 'POST /v1/prices',
  'prices.retrieve': 'GET /v1/prices/:id',
  'prices.update': 'POST /v1/prices/:id',
  'prices.list': 'GET /v1/prices',
  'customers.create': 'POST /v1/customers',
  'customers.retrieve': 'GET /v1/customers/:id',
  'customers.update': 'POST /v1/customers/:id',
  'customers.list': 'GET /v1/customers',
  'customers.listPaymentMethods': 'GET /v1/customers/:id/payment_methods',
  'customers.retrievePaymentMethod': 'GET /v1/customers/:id/payment_methods/:part',
  'paymentMethods.create': 'POST /v1/payment_methods',
  'paymentMethods.retrieve': 'GET /v1/payment_methods/:id',
  'paymentMethods.update': 'POST /v1/payment_methods/:id',
  'paymentMethods.list': 'GET /v1/payment_methods',
  'paymentMethods.attach': 'POST /v1/payment_methods/:id/attach',
  'paymentMethods.detach': 'POST /v1/payment_methods/:id/detach',
} as const satisfies Record<string, `${'GET' | 'POST' | 'DELETE'} /v1/${string}`>

export type OperationName = keyof typeof operations
