import { sql } from 'kysely'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import { editMany, newGroup, removeNegative } from '#features/structure/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type ChangeKind, changeKinds, type logEndpoints } from '../contract.ts'
import { changeDecision, isChange, lockDecisions, type StoredDecision } from './decisions.ts'
import { auditGroup } from './group-answers.ts'
import { type Group, readGroup } from './groups.ts'
import { logRowOf, noDecision, presentValues } from './log.ts'
import { addPins, endPin, type NewPin } from './pins.ts'
import { fieldOf, isSame, type Locked, lockSubjects, setFor, valueNow } from './place-values.ts'

type Answer = EndpointOutput<typeof logEndpoints.undo>
type Outcome = Answer['outcomes'][number]

/** A kind that is undone so often within so many days is asked about from then on. */
const teaching = { undone: 3, days: 30 }

/**
 * Takes a decision of the current account back, or all of its decision group, the last one first: where the marketplace still has
 * what was decided, what was before is sent. What was undone is left alone for two weeks. Throws NOT_FOUND, RULE_VIOLATED where
 * nothing was sent, CONFLICT with the `values` where there is something else by now and nobody forces it.
 */
export async function undoDecision(
  ctx: Ctx,
  id: number,
  { force, whole }: { force: boolean; whole: boolean },
): Promise<Answer> {
  const profile = await currentProfile(ctx)
  const now = ctx.clock.now()
  return ctx.db.tenant(profile.merchantId, async tx => {
    const { groupId, decisionGroup, kind } = await placeOfDecision(tx, profile, id)
    const group = await readGroup(tx, profile, groupId, { lock: true })
    const isWhole = whole || kind === 'harvest' || decisionGroup.startsWith('harvest')
    const which = isWhole ? sql`d.decision_group = ${decisionGroup}` : sql`d.id = ${id}`
    const found = (await lockDecisions(tx, group, which)).toReversed()
    const due = found.filter(one => isChange(one) && (one.state === 'SENT' || one.state === 'CONFIRMED'))
    if (!due.length) throw new AppError('RULE_VIOLATED', whyNot(found))
    const locked = await lockSubjects(tx, profile, due)
    if (!force)
      requireValues(due, locked, one => {
        const value = valueNow(locked, one)
        return fieldOf(one) === null || isSame(value, one.after) || isSame(value, one.before)
      })
    const changeGroup = newGroup()
    const undoing = { ctx, tx, profile, group, changeGroup, at: now }
    const outcomes = [...(await undoEdits(undoing, due, locked)), ...(await undoCreations(undoing, due))]
    const undone = due.filter(one => outcomes.some(own => own.id === one.id && isOver(own)))
    for (const one of undone)
      await changeDecision(tx, group, one.id, { state: 'UNDONE', settledAt: now, accountId: ctx.actor.accountId })
    await addPins(tx, group, profile, undone.flatMap(pinsOf), now)
    const taught = await teach(tx, group, now)
    await auditGroup(ctx, tx, group, 'optimizer.undo', { decisions: undone.map(one => one.id) })
    const row = await logRowOf(tx, profile, id, now)
    return { changeGroup: outcomes.some(one => one.status === 'UNDONE') ? changeGroup : null, outcomes, row, taught }
  })
}

const isOver = ({ status }: Outcome): boolean => status === 'UNDONE' || status === 'SAME'

export async function placeOfDecision(
  tx: Db,
  { merchantId, profileId }: Profile,
  id: number,
): Promise<Pick<StoredDecision, 'groupId' | 'decisionGroup' | 'kind'>> {
  const { rows } = await sql<Pick<StoredDecision, 'groupId' | 'decisionGroup' | 'kind'>>`select group_id as "groupId",
      decision_group as "decisionGroup", kind from optimizer_decision
    where merchant_id = ${merchantId} and profile_id = ${profileId} and id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) throw noDecision()
  return row
}

function whyNot(found: readonly StoredDecision[]): string {
  if (found.some(one => one.state === 'UNDONE')) return 'This was undone already.'
  return 'Nothing of this was sent, so there is nothing to undo.'
}

/** Throws CONFLICT with the three values of each whose value now is not the one that it must be. */
export function requireValues(
  due: readonly StoredDecision[],
  locked: Locked,
  isRight: (one: StoredDecision) => boolean,
): void {
  const others = due.flatMap(one => {
    if (isRight(one)) return []
    const now = valueNow(locked, one)
    const name = one.entity === 'target' ? locked.targets.get(one.entityId ?? 0)?.text : nameOfCampaign(locked, one)
    const shown = presentValues({ ...one, after: now })
    return [{ id: one.id, name: name ?? '', ...presentValues(one), now: shown.after }]
  })
  if (others.length)
    throw new AppError('CONFLICT', 'This was changed again since.', {
      details: [others.length === 1 ? '1 value is another by now.' : `${others.length} values are others by now.`],
      extra: { values: others },
    })
}
const nameOfCampaign = ({ campaigns }: Locked, { entityId }: StoredDecision) => campaigns.get(entityId ?? 0)?.name

interface Undoing {
  ctx: Ctx
  tx: Db
  profile: Profile
  group: Group
  changeGroup: string
  at: Date
}

async function undoEdits(
  { ctx, tx, profile, group, changeGroup, at }: Undoing,
  due: readonly StoredDecision[],
  locked: Locked,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const edited: StoredDecision[] = []
  for (const one of due) {
    if (fieldOf(one) === null) continue
    const now = valueNow(locked, one)
    if (now === null)
      outcomes.push({ id: one.id, status: 'INVALID', message: 'This is no longer in the account, or archived.' })
    else if (isSame(now, one.before)) outcomes.push({ id: one.id, status: 'SAME', message: null })
    else edited.push(one)
  }
  const byRow = [...Map.groupBy(edited, one => `${one.entity} ${one.entityId}`).values()]
  const items = await Promise.all(
    byRow.map(async own => ({
      entity: own[0]?.entity === 'target' ? ('target' as const) : ('campaign' as const),
      id: own[0]?.entityId ?? 0,
      version: null,
      set: Object.assign({}, ...own.map(one => setFor(locked, one, one.before))) as Record<string, unknown>,
      undoes: await linesOf(tx, group, own, locked),
    })),
  )
  const answers = items.length
    ? await editMany(ctx, tx, profile, items, { origin: 'USER', groupId: changeGroup, at })
    : []
  for (const [i, own] of byRow.entries())
    for (const { id } of own) {
      const isTaken = answers[i]?.status === 'CHANGED' || answers[i]?.status === 'SAME'
      const message = isTaken ? null : (answers[i]?.message ?? 'This cannot be changed.')
      outcomes.push({ id, status: isTaken ? 'UNDONE' : 'INVALID', message })
    }
  return outcomes
}

/** The lines of the ledger that wrote what is there now, by field: only those can be undone as such. */
async function linesOf(
  tx: Db,
  { merchantId }: Group,
  own: readonly StoredDecision[],
  locked: Locked,
): Promise<Record<string, { id: number; before: unknown; after: unknown }[]>> {
  const lines: Record<string, { id: number; before: unknown; after: unknown }[]> = {}
  for (const one of own) {
    const field = fieldOf(one)
    if (!field || !one.changeGroup || !isSame(valueNow(locked, one), one.after)) continue
    const { rows } = await sql<{ id: number; before: unknown; after: unknown }>`select c.id, c.before, c.after
      from entity_change c where c.merchant_id = ${merchantId} and c.group_id = ${one.changeGroup}::uuid and c.entity = ${one.entity}
        and c.entity_id = ${one.entityId} and c.field = ${field} and c.undoes is null and not exists (
          select from entity_change o where o.merchant_id = ${merchantId} and o.undoes = c.id)
      order by c.id desc limit 1`.execute(tx)
    if (rows.length) lines[field] = rows
  }
  return lines
}

/** The negative goes first, so that the search is never without anybody; the keyword is paused, never archived. */
async function undoCreations(
  { ctx, tx, profile, changeGroup, at }: Undoing,
  due: readonly StoredDecision[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const act = { accountId: ctx.actor.accountId, groupId: changeGroup, at }
  for (const one of due.filter(own => own.kind === 'negative')) {
    const createdId = await createdRow(tx, profile, one)
    if (createdId !== null) await removeNegative(ctx, tx, profile, createdId, act)
    outcomes.push({ id: one.id, status: createdId === null ? 'SAME' : 'UNDONE', message: null })
  }
  for (const one of due.filter(own => own.kind === 'harvest')) {
    const createdId = await createdRow(tx, profile, one)
    const item = { entity: 'target' as const, id: createdId ?? 0, version: null, set: { state: 'PAUSED' } }
    const [answer] = createdId === null ? [] : await editMany(ctx, tx, profile, [item], { origin: 'USER', ...act })
    const status = answer?.status === 'CHANGED' ? 'UNDONE' : answer?.status === 'INVALID' ? 'INVALID' : 'SAME'
    outcomes.push({ id: one.id, status, message: answer?.message ?? null })
  }
  return outcomes
}

/** What a decision created, also where the mirrored row has taken its place; null where it is gone or archived. */
export async function createdRow(
  tx: Db,
  { merchantId, profileId }: Profile,
  { kind, createdId, entityId, before, after }: StoredDecision,
): Promise<number | null> {
  const text = String(kind === 'harvest' ? before : after).toLowerCase()
  const [table, match] = kind === 'harvest' ? ['target', 'EXACT'] : ['negative', 'NEGATIVE_EXACT']
  const { rows } = await sql<{ id: number }>`select t.id from ${sql.table(table ?? '')} t
    where t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and t.ad_group_id = ${entityId}
      and t.state <> 'ARCHIVED' and t.gone_at is null and (t.id = ${createdId}
        or t.kind = 'KEYWORD' and t.match_type = ${match} and lower(t.text) = ${text}
        or t.kind = 'PRODUCT' and lower(t.text) = ${`asin_same_as: ${text}`})
    order by t.id = ${createdId} desc limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

/** What an undo or a rejection leaves alone. */
export function pinsOf(one: StoredDecision): NewPin[] {
  if (one.entityId === null || one.entity === 'group') return []
  const term = one.kind === 'negative' ? one.after : one.kind === 'harvest' ? one.before : ''
  const reason = one.state === 'PROPOSED' ? 'REJECTED' : 'UNDONE'
  return [{ entity: one.entity, entityId: one.entityId, term: String(term), reason, source: `undo ${one.id}` }]
}

async function teach(tx: Db, { merchantId, id, taught }: Group, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - teaching.days * 86_400_000)
  const { rows } = await sql<{ kind: string }>`select kind from (select distinct decision_group,
      case when decision_group like 'harvest%' then 'harvest' when kind = 'breaker' then 'bid' else kind end as kind
      from optimizer_decision where merchant_id = ${merchantId} and group_id = ${id} and state = 'UNDONE' and settled_at > ${since}) d
    group by kind having count(*) >= ${teaching.undone}`.execute(tx)
  const learnt = rows.map(row => row.kind).filter((kind): kind is ChangeKind => changeKinds.some(one => one === kind))
  const fresh = learnt.filter(kind => !taught.includes(kind))
  if (fresh.length)
    await sql`update optimizer_group set taught = ${[...taught, ...fresh]}::text[] where merchant_id = ${merchantId} and id = ${id}`.execute(
      tx,
    )
  return fresh
}

/** Lets the optimizer change again what a pin of the current account held. Throws NOT_FOUND. */
export async function unpin(ctx: Ctx, id: number): Promise<void> {
  const profile = await currentProfile(ctx)
  await ctx.db.tenant(profile.merchantId, async tx => {
    if (!(await endPin(tx, profile, id, ctx.clock.now())))
      throw new AppError('NOT_FOUND', 'This is left alone no longer.')
    await recordAudit(tx, {
      merchantId: profile.merchantId,
      accountId: ctx.actor.accountId,
      requestId: ctx.requestId,
      action: 'optimizer.unpin',
      entity: 'optimizer_pin',
      entityId: id,
    })
  })
}
