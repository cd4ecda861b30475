import { sql } from 'kysely'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type changeEndpoints, type EntityName, MAX_BULK } from '../../contract.ts'
import { resendNewRows } from '../create/remove-rows.ts'
import { editMany } from '../edit/bulk-edit.ts'
import { judgedLines } from './read-group.ts'
import { newGroup } from './record-changes.ts'

interface Rejected {
  entity: EntityName
  entityId: number
  field: string | null
  after: unknown
}

/**
 * Sends everything of one act again that the marketplace rejected, in parts, as a further try of the same act, or as an act
 * of the caller's own where somebody else made it. Throws NOT_FOUND when the current account has no
 * such group, RULE_VIOLATED when nothing of it was rejected.
 */
export async function retryGroup(
  ctx: Ctx,
  groupId: string,
): Promise<EndpointOutput<typeof changeEndpoints.retryGroup>> {
  const profile = await currentProfile(ctx)
  const { isOwn, rejected } = await ctx.db.reading(profile.merchantId, tx => readRejected(ctx, tx, profile, groupId))
  if (!rejected.length) throw new AppError('RULE_VIOLATED', 'The marketplace rejected nothing of this.')
  const act = { origin: 'USER', groupId: isOwn ? groupId : newGroup(), at: ctx.clock.now() } as const
  let [retried, failed] = [0, 0]
  let message: string | null = null
  const rows = [...Map.groupBy(rejected, ({ entity, entityId }) => `${entity} ${entityId}`).values()]
  for (let from = 0; from < rows.length; from += MAX_BULK) {
    const part = rows.slice(from, from + MAX_BULK)
    await ctx.db.tenant(profile.merchantId, async tx => {
      // Keywords before the negatives that wait for them.
      for (const entity of ['target', 'negative'] as const) {
        const ids = part.flat().flatMap(one => (one.entity === entity && one.field === null ? one.entityId : []))
        retried += (await resendNewRows(ctx, tx, profile, entity, ids, act.at)).length
      }
      const outcomes = await editMany(ctx, tx, profile, part.flatMap(editOf), act)
      retried += outcomes.filter(({ status }) => status === 'CHANGED').length
      const problems = outcomes.filter(({ status }) => status !== 'CHANGED' && status !== 'SAME')
      failed += problems.length
      message ??= problems[0]?.message ?? null
    })
  }
  return { groupId: act.groupId, retried, failed, message }
}

function editOf(lines: readonly Rejected[]) {
  const changed = lines.flatMap(({ field, after }) => (field === null ? [] : [[field, after] as const]))
  const [first] = lines
  if (!first || first.entity === 'negative' || !changed.length) return []
  return [{ entity: first.entity, id: first.entityId, version: null, set: Object.fromEntries(changed) }]
}

async function readRejected(ctx: Ctx, tx: Db, profile: Profile, groupId: string) {
  const { rows } = await sql<Rejected & { isOwn: boolean; status: string }>`with ${judgedLines(profile, groupId)}
    select entity, entity_id as "entityId", field, after, status, origin = 'USER' and account_id = ${ctx.actor.accountId} as "isOwn"
    from judged order by id`.execute(tx)
  if (!rows.length) throw new AppError('NOT_FOUND', 'There is no such group of changes.')
  return { isOwn: rows.every(row => row.isOwn), rejected: rows.filter(row => row.status === 'REJECTED') }
}
