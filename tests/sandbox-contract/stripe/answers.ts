import type Stripe from 'stripe'

/** Where the types of calls are found. */
export interface Client {
  stripe: Stripe
}

/** What answers consist of, by the `object` field of each. */
export interface Answers {
  product: Stripe.Product
  price: Stripe.Price
  customer: Stripe.Customer
  payment_method: Stripe.PaymentMethod
  setup_intent: Stripe.SetupIntent
  payment_intent: Stripe.PaymentIntent
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  'checkout.session': Stripe.Checkout.Session
  item: Stripe.LineItem
  subscription: Stripe.Subscription
  subscription_item: Stripe.SubscriptionItem
  invoice: Stripe.Invoice
  line_item: Stripe.InvoiceLineItem
  invoiceitem: Stripe.InvoiceItem
  invoice_payment: Stripe.InvoicePayment
  'billing_portal.session': Stripe.BillingPortal.Session
  event: Omit<Stripe.CustomerCreatedEvent, 'type' | 'data'> & {
    type: Stripe.Event['type']
    data: { object: object; previous_attributes?: object }
  }
  webhook_endpoint: Stripe.WebhookEndpoint
}
