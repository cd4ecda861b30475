import { type RawBuilder, sql } from 'kysely'
import type { EntityName, Rows } from '#features/structure/contract.ts'
import { matching, type Owner, selectList, tableOf } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'

/** Everything that campaigns of an account hold, archived rows and those that are gone apart. */
export interface Holdings {
  campaigns: Rows['campaign'][]
  adGroups: Rows['adGroup'][]
  ads: Rows['ad'][]
  targets: Rows['target'][]
  negatives: Rows['negative'][]
}

export async function holdingsOf(tx: Db, owner: Owner, campaignIds: readonly number[]): Promise<Holdings> {
  const read = async <E extends EntityName>(entity: E, isMeant: RawBuilder<unknown>): Promise<Rows[E][]> => {
    const { rows } = await sql<Rows[E]>`select ${selectList(entity, owner)} from ${tableOf(entity)} t
      where ${matching(owner, [isMeant, sql`t.state <> 'ARCHIVED'`, sql`t.gone_at is null`])} order by t.id`.execute(tx)
    return rows
  }
  const within = sql`t.campaign_id = any(${campaignIds}::bigint[])`
  return {
    campaigns: await read('campaign', sql`t.id = any(${campaignIds}::bigint[])`),
    adGroups: await read('adGroup', within),
    ads: await read('ad', within),
    targets: await read('target', within),
    negatives: await read('negative', within),
  }
}

/** Whether the marketplace has a row: those made here get their id there later. */
export const isThere = ({ amazonId }: { amazonId: string }): boolean => /^\d+$/.test(amazonId)
