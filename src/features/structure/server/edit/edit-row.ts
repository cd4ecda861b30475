import { AppError } from '#shared/errors.ts'
import { changesOf, editableNames, type Field, isOfAdType, pickFields } from '#shared/fields.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { accountsOf, currentProfile, type Profile, requireOwner } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type Changes, type EditableEntity, entities, type Row } from '../../contract.ts'
import { sendChanges } from '../push/send-changes.ts'
import { lockRow, type Parents, saveChanges } from '../sql/edit-rows.ts'

/** Why each field of a change cannot be accepted; null where it can. */
type Problems = Record<string, string | null | undefined>

/** What a rule may look at. */
interface Edit<E extends EditableEntity> {
  tx: Db
  profile: Profile
  market: MarketplaceFacts
  row: Row<E>
  parents: Parents
}

interface EditRules<E extends EditableEntity> {
  /** What messages and the audit call the row: "ad group". */
  noun: string
  /** False for a row that the call does not concern. */
  accepts?: (row: Row<E>) => boolean
  check: (edit: Edit<E>) => Problems | Promise<Problems>
  /** Which rows screens should read again. */
  event: (row: Row<E>) => object
}

/**
 * Changes a row at once for all who look at it, as PENDING, with an audit entry, a job that sends the change to the
 * marketplace and an event, in one transaction. A change that changes nothing is answered with the row as it is. Throws
 * FORBIDDEN to viewers, NOT_FOUND when the current account has no such row, VERSION_CONFLICT (with `current`) when it is
 * no longer what the caller saw, RULE_VIOLATED when it is archived or a rule says so, VALIDATION_FAILED (with `fields`)
 * when the marketplace would not accept it.
 */
export async function editRow<E extends EditableEntity>(
  ctx: Ctx,
  entity: E,
  id: number,
  change: Changes[E],
  { noun, accepts, check, event }: EditRules<E>,
): Promise<Row<E> & { currency: string }> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const profile = await currentProfile(ctx)
  await requireOwner(ctx, profile.merchantId)
  const market = marketplaceById(profile.marketplaceId)
  if (!market) throw new Error(`an account in an unknown marketplace: ${profile.marketplaceId}`)
  const { merchantId, currency } = profile
  return ctx.db.tenant(merchantId, async tx => {
    const locked = await lockRow(tx, profile, entity, id)
    if (!locked || accepts?.(locked.row) === false) throw new AppError('NOT_FOUND', `There is no such ${noun}.`)
    const { row, parents } = locked
    const before = { ...row, currency }
    requireVersion(ctx, before)
    if (row.state === 'ARCHIVED' || parents.campaign?.state === 'ARCHIVED')
      throw new AppError('RULE_VIOLATED', `An archived ${noun} cannot be changed.`)
    requireValid({
      ...adTypeProblems(entities[entity].fields, row, change),
      ...(await check({ tx, profile, market, row, parents })),
    })
    const changes = changesOf(entities[entity].fields, row, change)
    if (!changes.length) return before
    const after = { ...(await saveChanges(tx, profile, entity, id, changes, ctx.clock.now())), currency }
    const audited = auditedNames(entities[entity].fields)
    await recordAudit(tx, {
      merchantId,
      accountId: ctx.actor.accountId,
      action: `${noun.replace(' ', '_')}.update`,
      entity: entities[entity].table,
      entityId: id,
      before: pickFields(before, audited),
      after: pickFields(after, audited),
      requestId: ctx.requestId,
    })
    await sendChanges(ctx, tx, profile, entity, [id])
    await ctx.events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', event(row))
    return after
  })
}

/** The caller must edit the row as it is now; the error holds the row. */
function requireVersion(ctx: Ctx, current: { version: number }): void {
  if (ctx.ifMatch === null)
    throw new AppError('VALIDATION_FAILED', 'Send the version that you are changing in the If-Match header.', {
      details: ['If-Match is required'],
    })
  if (ctx.ifMatch !== current.version)
    throw new AppError('VERSION_CONFLICT', 'This was changed in the meantime. Compare both versions and choose one.', {
      extra: { current },
    })
}

function requireValid(problems: Problems): void {
  const found = Object.entries(problems).filter((entry): entry is [string, string] => Boolean(entry[1]))
  if (found.length)
    throw new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
      details: found.map(([, message]) => message),
      extra: { fields: Object.fromEntries(found) },
    })
}

function adTypeProblems(fields: Readonly<Record<string, Field>>, row: object, change: object): Problems {
  const adType = 'adType' in row && typeof row.adType === 'string' ? row.adType : null
  const missing = Object.keys(change).filter(name => {
    const field = fields[name]
    return adType !== null && field && !isOfAdType(field, adType)
  })
  return Object.fromEntries(missing.map(name => [name, 'This ad type does not have this setting']))
}

/** What the audit keeps of a row: what people may change, and the currency of its amounts. */
function auditedNames(fields: Readonly<Record<string, Field>>): string[] {
  const names = editableNames(fields)
  return names.some(name => fields[name]?.kind === 'money') ? [...names, 'currency'] : names
}
