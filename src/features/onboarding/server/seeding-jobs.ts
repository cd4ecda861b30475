import { sql } from 'kysely'
import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'
import type { Db, Row } from '#server/db/tables.ts'
import type { SeedingItem } from '../contract.ts'

/** An advertising account of a merchant. */
export interface Owner {
  merchantId: number
  profileId: number
}

export type SeedingRow = Owner &
  Pick<Row<'seeding_job'>, 'id' | 'kind' | 'status' | 'progress' | 'description' | 'failure'> &
  Pick<SeedingItem, 'days'>

// In this order: figures need the structure, and users look at the products while figures are imported.
const kinds: SeedingItem['kind'][] = ['STRUCTURE', 'INVENTORY', 'DAILY_FIGURES', 'HOURLY_FIGURES']

/** The first import of an account is complete. */
export const seedingFinished = defineSignal({
  name: 'onboarding.seeding-finished',
  data: z.object({ merchantId: z.number(), profileId: z.number() }),
})

/** Inserts an account's missing seeding jobs and resets failed ones; the others stay unchanged. */
export async function addSeedingJobs(tx: Db, { merchantId, profileId }: Owner, at: Date): Promise<void> {
  await sql`insert into seeding_job (merchant_id, profile_id, kind, created_at)
    select ${merchantId}::bigint, ${profileId}::bigint, u.kind, ${at}::timestamptz from unnest(${kinds}::text[]) as u(kind)
    on conflict (merchant_id, profile_id, kind) do update set status = 'PENDING', failure = null, finished_at = null
      where seeding_job.status = 'FAILED'`.execute(tx)
}

/** The seeding jobs of merchants, those of an account in the order in which they run. */
export function seedingRows(tx: Db, merchantIds: readonly number[]) {
  return tx
    .selectFrom('seeding_job')
    .select(['merchant_id as merchantId', 'id', 'profile_id as profileId', 'kind'])
    .select(['status', 'progress', 'description', 'failure'])
    .select(
      sql<
        SeedingItem['days']
      >`case when days_from is not null then json_build_object('from', days_from, 'to', days_to) end`.as('days'),
    )
    .where('merchant_id', '=', sql<number>`any(${[...merchantIds]}::bigint[])`)
    .orderBy('merchant_id')
    .orderBy('profile_id')
    .orderBy(sql`array_position(${kinds}::text[], kind)`)
}

export type SeedingChange = Pick<SeedingRow, 'status' | 'description'> &
  Partial<Pick<SeedingRow, 'progress' | 'failure' | 'days'>>

/** Updates a job. Its start and end times follow from the status. */
export async function setSeeding(
  tx: Db,
  { merchantId, id }: Pick<SeedingRow, 'merchantId' | 'id'>,
  { status, progress, description, failure = null, days = null }: SeedingChange,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('seeding_job')
    .set(eb => ({
      status,
      description,
      failure,
      days_from: days?.from ?? null,
      days_to: days?.to ?? null,
      ...(progress !== undefined && { progress: Math.min(1, Math.max(0, progress)) }),
      ...(status === 'IN_PROGRESS' && { started_at: eb.fn.coalesce('started_at', eb.val(at)) }),
      finished_at: status === 'COMPLETED' || status === 'FAILED' ? at : null,
    }))
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute()
}
