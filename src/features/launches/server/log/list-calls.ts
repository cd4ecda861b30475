import { type Ctx, requireMerchant } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import type { LaunchCall } from '../../contract.ts'
import { callPage } from '../sql/calls.ts'
import { launchById } from '../sql/launches.ts'

/** A page of the calls that a launch made to the marketplace, in their order. Throws NOT_FOUND. */
export const listCalls = async (ctx: Ctx, launchId: number, { page, size }: { page: number; size: number }) => {
  const merchantId = requireMerchant(ctx)
  const key = { merchantId, launchId }
  return ctx.db.tenant(merchantId, async tx => {
    if (!(await launchById(tx, key))) throw new AppError('NOT_FOUND', 'There is no such launch.')
    const { rows, total } = await callPage(tx, key, { page, size })
    const content = rows.map(
      (row, i): LaunchCall => ({
        no: page * size + i + 1,
        step: row.step,
        at: row.at.toISOString(),
        tookMs: row.took_ms,
        operation: row.operation,
        method: row.method,
        path: row.path,
        outcome: row.outcome,
        status: row.status,
        requestId: row.request_id,
        message: row.message,
        sent: row.sent,
        received: row.received,
      }),
    )
    return { content, page: pageInfo(page, size, total) }
  })
}
