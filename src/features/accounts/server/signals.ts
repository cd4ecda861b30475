import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'

/** Advertising accounts of a merchant are managed now: their data must be imported. */
export const profilesConnected = defineSignal({
  name: 'accounts.profiles-connected',
  data: z.object({ merchantId: z.number(), profileIds: z.array(z.number()) }),
})

/** A permission was revoked: work for this connection must pause until the user consents again. Nothing is deleted. */
export const connectionLost = defineSignal({
  name: 'accounts.connection-lost',
  data: z.object({ merchantId: z.number(), connectionId: z.number(), kind: z.enum(['AMAZON_ADS', 'SELLING_PARTNER']) }),
})
