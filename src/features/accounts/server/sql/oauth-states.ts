import type { RegionKey } from '#shared/marketplaces.ts'
import type { Db } from '#server/db/tables.ts'
import type { ConnectionKind } from '../../contract.ts'

export interface ConsentState {
  accountId: number
  kind: ConnectionKind
  region: RegionKey
  /** The merchant that the consent is for; null when any will do. */
  merchantId: number | null
}

/** Keeps a consent under way, and forgets those of the account that ended long ago. */
export async function insertState(
  db: Db,
  hash: string,
  state: ConsentState,
  times: { now: Date; expiresAt: Date },
): Promise<void> {
  await db
    .deleteFrom('oauth_state')
    .where('account_id', '=', state.accountId)
    .where('expires_at', '<', times.now)
    .execute()
  await db
    .insertInto('oauth_state')
    .values({
      state_hash: hash,
      account_id: state.accountId,
      kind: state.kind,
      region: state.region,
      merchant_id: state.merchantId,
      created_at: times.now,
      expires_at: times.expiresAt,
      used_at: null,
    })
    .execute()
}

/** Uses a state up, once; undefined when it is unknown, another account's, of another kind, used or expired. */
export function takeState(
  db: Db,
  hash: string,
  by: { accountId: number; kind: ConnectionKind | null; now: Date },
): Promise<ConsentState | undefined> {
  return db
    .updateTable('oauth_state')
    .set({ used_at: by.now })
    .where('state_hash', '=', hash)
    .where('account_id', '=', by.accountId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', by.now)
    .$if(by.kind !== null, query => query.where('kind', '=', by.kind as ConnectionKind))
    .returning(['account_id as accountId', 'kind', 'region', 'merchant_id as merchantId'])
    .executeTakeFirst()
}
