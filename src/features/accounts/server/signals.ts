import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-signal.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { profileRows } from './sql/profiles.ts'

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

/**
 * Tells, in the transaction of a new consent, that the merchant's managed advertising accounts can be read again, or for
 * the first time with the seller account beside them. Nothing is told when none is managed.
 */
export async function announceManaged({ jobs }: Pick<Services, 'jobs'>, tx: Db, merchantId: number): Promise<void> {
  const rows = await profileRows(tx, [merchantId]).where('p.is_managed', '=', true).execute()
  if (rows.length) await jobs.announce(tx, profilesConnected, { merchantId, profileIds: rows.map(row => row.id) })
}
