import type { Db } from '#server/db/tables.ts'
import { currentChoice } from './sql/current-choice.ts'
import { membershipsOf } from './sql/memberships.ts'

/** The connected merchants of an account and the one it works with; that is null when none is chosen or it left it. */
export const tenancyOf = async (
  db: Db,
  accountId: number,
): Promise<{ merchantId: number | null; merchantIds: number[] }> => {
  const merchantIds = (await membershipsOf(db, accountId)).map(row => row.merchantId)
  const { merchantId } = await currentChoice(db, accountId)
  return { merchantId: merchantId !== null && merchantIds.includes(merchantId) ? merchantId : null, merchantIds }
}
