export { type FeeSoFar, feeSoFar } from './fee/fee-so-far.ts'
export { settleInvoice } from './events/settle-invoice.ts'
export { isPaymentReturned, planPayment } from './plan-payment.ts'
export { invoiceIssued, invoicePaid } from './signals.ts'
