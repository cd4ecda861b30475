import { sql } from 'kysely'
import { merchantsByIds, ownedMerchants } from '#features/accounts/server/public.ts'
import { hashSecret } from '#features/auth/server/public.ts'
import type { Db, Row } from '#server/db/tables.ts'

export type InvitationRow = Row<'invitation'>

/** With its merchants as numbers: servers return the elements of a bigint array as text. */
export const withNumbers = (row: InvitationRow): InvitationRow => ({
  ...row,
  merchant_ids: row.merchant_ids.map(Number),
})

/** The merchants that an account owns, with names, by name. */
export async function ownedWithNames(db: Db, accountId: number): Promise<{ id: number; name: string }[]> {
  const rows = await merchantsByIds(db, await ownedMerchants(db, accountId))
  return rows.map(({ merchantId, name }) => ({ id: merchantId, name }))
}

/** For a condition: the account owns every merchant of an invitation `i`. */
const isManagedBy = (accountId: number) =>
  sql<boolean>`i.merchant_ids <@ array(select o.merchant_id from membership o
    where o.account_id = ${accountId} and o.role = 'OWNER' and o.ended_at is null)`

/** Invitations that nobody has answered and that an account may manage, the newest first. */
export async function openInvitations(db: Db, accountId: number, expiredAfter: Date): Promise<InvitationRow[]> {
  const rows = await db
    .selectFrom('invitation as i')
    .selectAll()
    .where(isManagedBy(accountId))
    .where('outcome', 'is', null)
    .where('expires_at', '>', expiredAfter)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(withNumbers)
}

/** One invitation that an account may manage, whatever became of it, locked; undefined if there is none. */
export async function lockManaged(tx: Db, accountId: number, id: number): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    select i.* from invitation i where i.id = ${id} and ${isManagedBy(accountId)} for update`.execute(tx)
  return rows[0] && withNumbers(rows[0])
}

/** The invitation of a token, locked; undefined if there is none. */
export async function lockByToken(tx: Db, token: string): Promise<InvitationRow | undefined> {
  const { rows } = await sql<InvitationRow>`
    select i.* from invitation i where i.token_hash = ${hashSecret(token)} for update`.execute(tx)
  return rows[0] && withNumbers(rows[0])
}

/** Those merchants of an invitation that the inviter still owns, by name: nobody can give away what is no longer theirs. */
export async function merchantsOnOffer(
  db: Db,
  { invited_by: inviter, merchant_ids: ids }: InvitationRow,
): Promise<{ id: number; name: string }[]> {
  return (await ownedWithNames(db, inviter)).filter(({ id }) => ids.includes(id))
}
