import { sql } from 'kysely'
import { nameTaken } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { type LaunchKey, ofLaunch } from './sql/launches.ts'

function rejectTaken(names: readonly string[]): void {
  if (!names.length) return
  throw new AppError('CONFLICT', 'A campaign of this name exists already. Choose another name.', {
    details: [...new Set(names)].map(name => `The name “${name}” is taken.`),
    extra: { field: 'campaignName' },
  })
}

/** Throws CONFLICT when campaigns or launches of the account have one of the names, whatever their letters' case. */
export async function requireFreeNames(
  tx: Db,
  { merchantId, profileId }: { merchantId: number; profileId: number },
  names: readonly string[],
): Promise<void> {
  const lower = names.map(name => name.toLowerCase())
  const rows = await tx
    .selectFrom('launch_name')
    .select('name')
    .where(eb => eb.and({ merchant_id: merchantId, profile_id: profileId }).and('name', 'in', lower))
    .execute()
  const held = new Set(rows.map(row => row.name))
  const ofCampaigns = await nameTaken(tx, merchantId, profileId, names)
  rejectTaken([...ofCampaigns, ...names.filter(name => held.has(name.toLowerCase()))])
}

/** Takes names for a launch. Throws CONFLICT when another launch of the account holds one, whatever the letters' case. */
export async function takeNames(tx: Db, key: LaunchKey, profileId: number, names: readonly string[]): Promise<void> {
  const lower = names.map(name => name.toLowerCase())
  const { rows } = await sql<{ name: string }>`
    insert into launch_name (merchant_id, profile_id, name, launch_id)
    select ${key.merchantId}::bigint, ${profileId}::bigint, u.name, ${key.launchId}::bigint from unnest(${lower}::text[]) as u(name)
    on conflict (merchant_id, profile_id, name) do nothing returning name`.execute(tx)
  const taken = new Set(rows.map(row => row.name))
  rejectTaken(names.filter(name => !taken.has(name.toLowerCase())))
}

/** Gives back a launch's names. */
export async function releaseNames(tx: Db, key: LaunchKey): Promise<void> {
  await tx
    .deleteFrom('launch_name')
    .where(eb => eb.and(ofLaunch(key)))
    .execute()
}
