import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'

const ofInvoice = z.object({ accountId: z.number(), invoiceId: z.string() })

/** An invoice is final: from now on it can be paid and no longer changes. Once for each invoice. */
export const invoiceIssued = defineSignal({ name: 'billing.invoice-issued', data: ofInvoice })

/** An invoice was paid. Once for each invoice. */
export const invoicePaid = defineSignal({ name: 'billing.invoice-paid', data: ofInvoice })
