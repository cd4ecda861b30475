import { sql } from 'kysely'
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

const columns = sql`merchant_id as "merchantId", id, profile_id as "profileId", kind, status, progress, description, failure,
  case when days_from is not null then json_build_object('from', days_from, 'to', days_to) end as days`
const inOrder = sql`profile_id, array_position(${kinds}::text[], kind)`

/** Inserts an account's missing seeding jobs and resets failed ones; the others stay unchanged. */
export async function addSeedingJobs(tx: Db, { merchantId, profileId }: Owner, at: Date): Promise<void> {
  await sql`insert into seeding_job (merchant_id, profile_id, kind, created_at)
    select ${merchantId}::bigint, ${profileId}::bigint, u.kind, ${at}::timestamptz from unnest(${kinds}::text[]) as u(kind)
    on conflict (merchant_id, profile_id, kind) do update set status = 'PENDING', failure = null, finished_at = null
      where seeding_job.status = 'FAILED'`.execute(tx)
}

/** The seeding jobs of an account in the order in which they run. */
export async function seedingJobsOf(tx: Db, { merchantId, profileId }: Owner): Promise<SeedingRow[]> {
  const { rows } = await sql<SeedingRow>`select ${columns} from seeding_job
    where merchant_id = ${merchantId} and profile_id = ${profileId} order by ${inOrder}`.execute(tx)
  return rows
}

/** The merchants' jobs that are not completed, or were completed after `since`. */
export async function activeSeedingJobs(tx: Db, merchantIds: readonly number[], since: Date): Promise<SeedingRow[]> {
  const { rows } = await sql<SeedingRow>`select ${columns} from seeding_job
    where merchant_id = any(${[...merchantIds]}::bigint[]) and (status <> 'COMPLETED' or finished_at > ${since})
    order by merchant_id, ${inOrder}`.execute(tx)
  return rows
}

/** One of the merchants' seeding jobs; undefined if there is none. */
export async function seedingJob(tx: Db, merchantIds: readonly number[], id: number): Promise<SeedingRow | undefined> {
  const { rows } = await sql<SeedingRow>`select ${columns} from seeding_job
    where merchant_id = any(${[...merchantIds]}::bigint[]) and id = ${id}`.execute(tx)
  return rows[0]
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
