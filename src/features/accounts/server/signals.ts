import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-signal.ts'

/** Advertising accounts of a merchant came under management: their data is wanted. */
export const profilesConnected = defineSignal({
  name: 'accounts.profiles-connected',
  data: z.object({ merchantId: z.number(), profileIds: z.array(z.number()) }),
})

/** A permission was taken back: work for this connection must rest until the user consents anew. Nothing is deleted. */
export const connectionLost = defineSignal({
  name: 'accounts.connection-lost',
  data: z.object({
    merchantId: z.number(),
    connectionId: z.number(),
    kind: z.enum(['AMAZON_ADS', 'SELLING_PARTNER']),
  }),
})
