import type { Owner } from '../sql/entity-sql.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { EditableEntity } from '../../contract.ts'
import { pushJobs, pushKey } from './push-row.ts'

/**
 * Queues what rows of one account wait with for the marketplace, in the caller's transaction: the only way to do so. The
 * rows are PENDING already. One call with many ids is cheaper than many calls.
 */
export async function sendChanges(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Db,
  { merchantId }: Owner,
  entity: EditableEntity,
  ids: readonly number[],
): Promise<void> {
  for (const id of ids) await jobs.send(tx, pushJobs[entity], { merchantId, id }, { key: pushKey({ merchantId, id }) })
}
