import type { Db } from '#server/db/tables.ts'
import type { CallStep } from '../../contract.ts'
import type { LoggedCall } from '../run/call-log.ts'
import type { LaunchKey } from './launch-key.ts'

/** Adds calls to a launch's log, in their order. */
export async function insertCalls(tx: Db, key: LaunchKey, calls: readonly LoggedCall[]): Promise<void> {
  if (!calls.length) return
  await tx
    .insertInto('launch_call')
    .values(
      calls.map(({ tookMs, requestId, ...call }) => ({
        merchant_id: key.merchantId,
        launch_id: key.launchId,
        took_ms: tookMs,
        request_id: requestId,
        ...call,
      })),
    )
    .execute()
}

/** A page of a launch's calls in their order, and how many there are. */
export async function callPage(
  tx: Db,
  { merchantId, launchId }: LaunchKey,
  { page, size }: { page: number; size: number },
) {
  const all = tx.selectFrom('launch_call').where('merchant_id', '=', merchantId).where('launch_id', '=', launchId)
  const rows = await all
    .selectAll()
    .orderBy('call_no')
    .limit(size)
    .offset(page * size)
    .$narrowType<{ step: CallStep | null }>()
    .execute()
  const { total } = await all.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** Forgets the calls that a merchant's launches made before a moment. */
export async function forgetCalls(tx: Db, merchantId: number, before: Date): Promise<void> {
  await tx.deleteFrom('launch_call').where('merchant_id', '=', merchantId).where('at', '<', before).execute()
}
