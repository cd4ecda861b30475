import { sql } from 'kysely'
import type { Db, Row } from '#server/db/tables.ts'
import { type LaunchStatus, type StepName, type StepStatus, stepNames } from '../../contract.ts'
import type { Template } from '../../templates.ts'
import type { LaunchKey } from './launch-key.ts'

export interface NewLaunch {
  merchantId: number
  profileId: number
  accountId: number
  idempotencyKey: string
  bodyHash: string
  campaignName: string
  template: Template
  payload: unknown
  at: Date
}

/** Writes a launch with its steps and returns its id. */
export async function insertLaunch(tx: Db, launch: NewLaunch): Promise<number> {
  const { merchantId } = launch
  const row = await tx
    .insertInto('launch')
    .values({
      merchant_id: merchantId,
      profile_id: launch.profileId,
      account_id: launch.accountId,
      idempotency_key: launch.idempotencyKey,
      body_hash: launch.bodyHash,
      campaign_name: launch.campaignName,
      template: launch.template,
      payload: sql`${JSON.stringify(launch.payload)}::jsonb`,
      plan: null,
      undo: null,
      lease_token: null,
      lease_until: null,
      waiting_until: null,
      created_at: launch.at,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('launch_step')
    .values(
      stepNames.map((name, position) => ({
        merchant_id: merchantId,
        launch_id: row.id,
        position,
        name,
        reason: null,
        message: null,
      })),
    )
    .execute()
  return row.id
}

/** The newest launch of a body since a moment that neither failed as a whole nor was undone. */
export function launchOfBody(tx: Db, merchantId: number, bodyHash: string, since: Date) {
  return tx
    .selectFrom('launch')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('body_hash', '=', bodyHash)
    .where('created_at', '>', since)
    .where('status', '<>', 'FAILED')
    .where('undo', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Takes names for a launch, whatever their letters' case; returns those that another launch holds. */
export async function takeNames(
  tx: Db,
  key: LaunchKey,
  profileId: number,
  names: readonly string[],
): Promise<string[]> {
  const lower = names.map(name => name.toLowerCase())
  const { rows } = await sql<{ name: string }>`
    insert into launch_name (merchant_id, profile_id, name, launch_id)
    select ${key.merchantId}::bigint, ${profileId}::bigint, u.name, ${key.launchId}::bigint from unnest(${lower}::text[]) as u(name)
    on conflict (merchant_id, profile_id, name) do nothing returning name`.execute(tx)
  const taken = new Set(rows.map(row => row.name))
  return names.filter(name => !taken.has(name.toLowerCase()))
}

/** Which of the names launches hold already, whatever their letters' case. */
export async function heldNames(
  tx: Db,
  merchantId: number,
  profileId: number,
  names: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .selectFrom('launch_name')
    .select('name')
    .where('merchant_id', '=', merchantId)
    .where('profile_id', '=', profileId)
    .where(
      'name',
      'in',
      names.map(name => name.toLowerCase()),
    )
    .execute()
  const held = new Set(rows.map(row => row.name))
  return names.filter(name => held.has(name.toLowerCase()))
}

/** Gives back a launch's names. */
export async function releaseNames(tx: Db, { merchantId, launchId }: LaunchKey): Promise<void> {
  await tx.deleteFrom('launch_name').where('merchant_id', '=', merchantId).where('launch_id', '=', launchId).execute()
}

/** One launch, locked until the transaction ends when `lock` is set; undefined when the merchant has none of this id. */
export function launchById(tx: Db, { merchantId, launchId }: LaunchKey, lock = false) {
  const query = tx
    .selectFrom('launch')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', launchId)
    .$narrowType<{ template: Template }>()
  return (lock ? query.forUpdate() : query).executeTakeFirst()
}

/** True once the user has asked for the launch to be undone, until that has ended. */
export async function isUndoRequested(tx: Db, { merchantId, launchId }: LaunchKey): Promise<boolean> {
  const rows = tx.selectFrom('launch').select('id').where('merchant_id', '=', merchantId).where('id', '=', launchId)
  return (await rows.where('undo', '=', 'PENDING').executeTakeFirst()) !== undefined
}

export interface LaunchChange {
  status?: LaunchStatus
  plan?: unknown
  undo?: Row<'launch'>['undo']
  waits?: number
  waiting_until?: Date | null
  finished_at?: Date | null
}

/** Changes a launch. */
export async function updateLaunch(tx: Db, key: LaunchKey, { plan, ...change }: LaunchChange): Promise<void> {
  await tx
    .updateTable('launch')
    .set({ ...change, ...(plan !== undefined && { plan: sql`${JSON.stringify(plan)}::jsonb` }) })
    .where('merchant_id', '=', key.merchantId)
    .where('id', '=', key.launchId)
    .execute()
}

// A step that continues keeps its start; one that is planned again has none.
const now = sql<Date>`now()`
const begun = { started_at: sql<Date>`coalesce(started_at, now())`, finished_at: null }
const ended = { started_at: sql<Date>`coalesce(started_at, now())`, finished_at: now }
const timesOf = {
  PENDING: { started_at: null, finished_at: null },
  IN_PROGRESS: begun,
  COMPLETED: ended,
  PARTIAL: ended,
  FAILED: ended,
  SKIPPED: ended,
} satisfies Record<StepStatus, object>

/** Sets a step's status, and what stopped it as a whole (null clears it). */
export async function updateStep(
  tx: Db,
  { merchantId, launchId }: LaunchKey,
  name: StepName,
  change: { status: StepStatus; reason?: string | null; message?: string | null },
): Promise<void> {
  await tx
    .updateTable('launch_step')
    .set({
      status: change.status,
      reason: change.reason ?? null,
      message: change.message ?? null,
      ...timesOf[change.status],
    })
    .where('merchant_id', '=', merchantId)
    .where('launch_id', '=', launchId)
    .where('name', '=', name)
    .execute()
}

/** Steps of launches, in their order. */
export function stepsOf(tx: Db, merchantId: number, launchIds: readonly number[]) {
  return launchIds.length
    ? tx
        .selectFrom('launch_step')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .where('launch_id', 'in', launchIds)
        .orderBy('launch_id')
        .orderBy('position')
        .$narrowType<{ name: StepName }>()
        .execute()
    : Promise.resolve([])
}

/** A page of an account's launches, newest first, and how many there are. */
export async function launchPage(tx: Db, merchantId: number, profileId: number, page: { page: number; size: number }) {
  const all = tx.selectFrom('launch').where('merchant_id', '=', merchantId).where('profile_id', '=', profileId)
  const rows = await all
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(page.page * page.size)
    .$narrowType<{ template: Template }>()
    .execute()
  const { total } = await all.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}
