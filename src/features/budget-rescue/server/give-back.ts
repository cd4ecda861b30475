import { fromMicros } from '#shared/money.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Row } from '#features/structure/contract.ts'
import { editMany } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { linesOf, type Raise } from './sql.ts'

/**
 * Gives a locked campaign the budget from before its raises, in the caller's transaction, as their undo in the ledger. Returns
 * why that is not possible, null when it is done.
 */
export async function giveBack(
  editor: Parameters<typeof editMany>[0],
  tx: Db,
  profile: Profile,
  row: Row<'campaign'>,
  holding: readonly [Raise, ...Raise[]] | readonly Raise[],
  act: Parameters<typeof editMany>[4],
): Promise<string | null> {
  const [first] = holding
  if (!first) return null
  const lines = await linesOf(tx, profile, row.id, holding)
  const edit = {
    entity: 'campaign' as const,
    id: row.id,
    version: null,
    set: { budget: fromMicros(first.beforeMicros) },
    ...(lines.length && { undoes: { budget: lines } }),
  }
  const [outcome] = await editMany(editor, tx, profile, [edit], act)
  return outcome?.status === 'CHANGED' || outcome?.status === 'SAME'
    ? null
    : (outcome?.message ?? 'The budget cannot be changed.')
}
