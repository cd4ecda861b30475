export { settleInvoice } from './events/settle-invoice.ts'
export { invoiceIssued, invoicePaid } from './signals.ts'
