import { requireOwner } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { type Ctx, requireAuthority, requireMerchant } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import type { Launch } from '../contract.ts'
import { readLaunch } from './log/read-launches.ts'
import { sendLaunch } from './launch-job.ts'
import { type AddedKind, addedSince } from './sql/facts.ts'
import { launchById, updateLaunch } from './sql/launches.ts'

const kindWords: Record<AddedKind, [one: string, many: string]> = {
  AD_GROUP: ['ad group', 'ad groups'],
  PRODUCT_AD: ['product ad', 'product ads'],
  KEYWORD: ['keyword', 'keywords'],
  PRODUCT_TARGET: ['product target', 'product targets'],
  NEGATIVE: ['negative', 'negatives'],
}

// Archiving a campaign archives everything added to it later, by hand or by another tool: the user must confirm that.
function rejectAdded(added: readonly { kind: AddedKind; count: number }[]): void {
  if (!added.length) return
  throw new AppError('CONFLICT', 'Other things were added to these campaigns since. Undoing archives them too.', {
    details: added.map(({ kind, count }) => `${count} ${kindWords[kind][count === 1 ? 0 : 1]} added since`),
    extra: { field: 'anyway' },
  })
}

/**
 * Has everything archived that a launch made; one under way stops first. Asking twice is asking once; after a PARTIAL
 * undo it tries again. Throws NOT_FOUND, RULE_VIOLATED when all of it is archived already, CONFLICT when other things
 * were added to its campaigns since, unless `anyway`.
 */
export async function undoLaunch(
  ctx: Ctx,
  launchId: number,
  { anyway }: { anyway: boolean } = { anyway: false },
): Promise<Launch> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const merchantId = requireMerchant(ctx)
  await requireOwner(ctx, merchantId)
  const key = { merchantId, launchId }
  return ctx.db.tenant(merchantId, async tx => {
    const launch = await launchById(tx, key, true)
    if (!launch) throw new AppError('NOT_FOUND', 'There is no such launch.')
    if (launch.undo === 'DONE') throw new AppError('RULE_VIOLATED', 'This launch is undone already.')
    if (launch.undo !== 'PENDING') {
      if (!anyway) rejectAdded(await addedSince(tx, key, launch.profile_id))
      await updateLaunch(tx, key, { undo: 'PENDING', waits: 0 })
      await recordAudit(tx, {
        merchantId,
        accountId: ctx.actor.accountId,
        action: 'launch.undo',
        entity: 'launch',
        entityId: launchId,
        requestId: ctx.requestId,
      })
      await sendLaunch(ctx, tx, key, launch.profile_id)
    }
    return readLaunch(tx, key)
  })
}
