import type { RawBuilder } from 'kysely'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Changes, EditableEntity, Row } from '../../contract.ts'
import { pageOfRows } from '../sql/edit-rows.ts'
import { checkEdits, objection } from './edit-rules.ts'

/** A row with what a change would do to it. */
export interface PreviewedEdit<E extends EditableEntity> {
  row: Row<E>
  /** Why it cannot be changed; null when it can, or when there is nothing to change. */
  problem: string | null
}

/**
 * A page of rows that pass filters on `t`, by id, and what the rules of an edit say of the change of each. `changeOf` gives
 * the change, or why there is none. Changes nothing.
 */
export async function previewEdits<E extends EditableEntity>(
  tx: Db,
  profile: Profile,
  entity: E,
  filters: readonly RawBuilder<unknown>[],
  { page, size, now }: { page: number; size: number; now: Date },
  changeOf: (row: Row<E>) => { change: Changes[E] } | { problem: string },
): Promise<{ rows: PreviewedEdit<E>[]; total: number }> {
  const { rows, total } = await pageOfRows(tx, profile, entity, filters, { page, size })
  const planned = rows.map(one => ({ ...one, ...changeOf(one.row) }))
  const edits = planned.flatMap(one => ('change' in one ? [one] : []))
  const verdicts = await checkEdits(tx, profile, entity, edits, now)
  const problems = new Map(edits.map(({ row }, i) => [row.id, verdicts[i] ? objection(verdicts[i]) : null]))
  return {
    total,
    rows: planned.map(one => ({
      row: one.row,
      problem: 'problem' in one ? one.problem : (problems.get(one.row.id) ?? null),
    })),
  }
}
