import { currentProfile } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import type { Micros } from '#shared/money.ts'
import type { costImportEndpoints as endpoints } from '../../cost-import-contract.ts'
import { deleteCosts, readCosts, saveCosts } from './cost-rows.ts'

interface StoredChange {
  sku: string
  validFrom: string
  beforeMicros: Micros | null
  afterMicros: Micros
}

/**
 * Brings back what an import replaced, in one transaction. A cost that was changed since stays as it is and is counted.
 * Repeated, it does nothing. Throws NOT_FOUND when the current merchant has no such import.
 */
export async function undoCostImport(
  ctx: Ctx,
  importId: number,
): Promise<EndpointOutput<(typeof endpoints)['undoCostImport']>> {
  const { merchantId } = await currentProfile(ctx)
  return ctx.db.tenant(merchantId, async tx => {
    const found = await tx
      .selectFrom('cost_import')
      .select(['marketplace_id as marketplaceId', 'changes', 'undone_at as undoneAt'])
      .where('merchant_id', '=', merchantId)
      .where('id', '=', importId)
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw new AppError('NOT_FOUND', 'There is no such import.')
    if (found.undoneAt) return { restored: 0, changedSince: 0 }
    const shop = { merchantId, marketplaceId: found.marketplaceId }
    const changes = found.changes as StoredChange[]
    const current = await readCosts(tx, shop, [...new Set(changes.map(change => change.sku))])
    const keyOf = (cost: { sku: string; validFrom: string }) => JSON.stringify([cost.sku, cost.validFrom])
    const own = new Set(current.flatMap(cost => (cost.importId === importId ? [keyOf(cost)] : [])))
    const undone = changes.filter(change => own.has(keyOf(change)))
    const at = ctx.clock.now()
    const restored = undone.flatMap(({ sku, validFrom, beforeMicros }) =>
      beforeMicros === null ? [] : [{ sku, validFrom, cogsMicros: beforeMicros }],
    )
    await saveCosts(tx, shop, restored, { at })
    await deleteCosts(
      tx,
      shop,
      undone.filter(change => change.beforeMicros === null),
    )
    await tx
      .updateTable('cost_import')
      .set({ undone_at: at })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', importId)
      .execute()
    const entry = { merchantId, accountId: ctx.actor.accountId, requestId: ctx.requestId, entity: 'cost_import' }
    await recordAudit(tx, { ...entry, entityId: importId, action: 'product.undo-cogs-import' })
    return { restored: undone.length, changedSince: changes.length - undone.length }
  })
}
