import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { managedProfiles } from './sql/profiles.ts'

/** Advertising accounts of a merchant are managed now: their data must be imported. */
export const profilesConnected = defineSignal({
  name: 'accounts.profiles-connected',
  data: z.object({ merchantId: z.number(), profileIds: z.array(z.number()) }),
})

/** A permission was revoked: work for this connection must pause until the user consents again. Nothing is deleted. */
export const connectionLost = defineSignal({
  name: 'accounts.connection-lost',
  data: z.object({
    merchantId: z.number(),
    connectionId: z.number(),
    kind: z.enum(['AMAZON_ADS', 'SELLING_PARTNER']),
  }),
})

/**
 * Announces, in the transaction of a new consent, that the merchant's managed advertising accounts can be read again, or
 * for the first time together with the seller account. Announces nothing when none is managed.
 */
export async function announceManaged({ jobs }: Pick<Services, 'jobs'>, tx: Db, merchantId: number): Promise<void> {
  const rows = await managedProfiles(tx, [merchantId]).execute()
  if (rows.length) await jobs.announce(tx, profilesConnected, { merchantId, profileIds: rows.map(row => row.id) })
}
