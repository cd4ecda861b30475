import { type RawBuilder, sql } from 'kysely'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { type Field, isSameValue } from '#shared/fields.ts'
import { currentProfile, type Profile, readAccount } from '#features/accounts/server/public.ts'
import { entities } from '#features/structure/contract.ts'
import { editMany, newGroup, removeNegative } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { optimizerEndpoints, RestorePreview } from '../contract.ts'
import { endProposals } from './announce.ts'
import { decisionColumns, type StoredDecision } from './decisions.ts'
import { type Holdings, holdingsOf } from './entities.ts'
import { topOfSearch } from './facts.ts'
import { answerOf, auditGroup } from './group-answers.ts'
import { type Group, readGroup } from './groups.ts'
import { readSnapshot, type SnapshotRow, snapshotOf } from './snapshot.ts'
import { createdRow } from './undo-decision.ts'

type Item = RestorePreview['content'][number]
/** An item with what is set to carry it out. */
interface Planned {
  item: Item
  set: Record<string, unknown> | null
}

/** What the fields of a snapshot are called in answers. */
const fieldNames: Record<string, Item['field']> = {
  bid: 'bid',
  budget: 'budget',
  biddingStrategy: 'strategy',
  placements: 'placement',
  state: 'state',
  defaultBid: 'defaultBid',
}

/** What putting a group back would change, and what it would leave, with reasons. Throws NOT_FOUND. */
export function previewRestore(ctx: Ctx, id: number): Promise<RestorePreview> {
  return readAccount(ctx, async (tx, profile) => {
    const group = await readGroup(tx, profile, id)
    const content = (await planRestore(tx, profile, group)).map(one => one.item)
    return { currency: profile.currency, takenOverAt: group.takenOverAt.toISOString(), content }
  })
}

async function planRestore(tx: Db, profile: Profile, group: Group): Promise<Planned[]> {
  const snapshot = await readSnapshot(tx, profile, group.id)
  const campaignIds = [...new Set(snapshot.map(one => one.campaignId))]
  const held = await holdingsOf(tx, profile, campaignIds)
  const now = new Map(snapshotOf(held).map(row => [keyOf(row), row]))
  const names = namesOf(held)
  const byHand = await changedByHand(tx, group, campaignIds)
  const changed = snapshot.flatMap(row => differences(row, now.get(keyOf(row)), names, byHand))
  return [...(await createdSince(tx, profile, group, names)), ...changed]
}

const keyOf = ({ entity, entityId }: Pick<SnapshotRow, 'entity' | 'entityId'>): string => `${entity} ${entityId}`

function namesOf({ campaigns, adGroups, targets, negatives }: Holdings) {
  const all = [
    ...campaigns.map(one => [`campaign ${one.id}`, one.name] as const),
    ...adGroups.map(one => [`adGroup ${one.id}`, one.name] as const),
    ...targets.map(one => [`target ${one.id}`, one.text] as const),
    ...negatives.map(one => [`negative ${one.id}`, one.text] as const),
  ]
  const names = new Map<string, string>(all)
  return (entity: string, id: number): string => names.get(`${entity} ${id}`) ?? ''
}

function differences(
  row: SnapshotRow,
  now: SnapshotRow | undefined,
  names: ReturnType<typeof namesOf>,
  byHand: ReadonlySet<string>,
): Planned[] {
  const { entity, entityId, campaignId } = row
  const base = {
    entity,
    entityId,
    name: names(entity, entityId),
    campaignId,
    campaignName: names('campaign', campaignId),
  }
  // Archived rows cannot be changed any more; those are not among what is held.
  if (!now)
    return [
      {
        item: {
          ...base,
          field: 'state',
          now: null,
          atTakeover: shown('state', row.value.state),
          action: 'LEAVE',
          reason: 'GONE',
        },
        set: null,
      },
    ]
  const fields: Readonly<Record<string, Field>> = entities[entity].fields
  return Object.keys(row.value).flatMap((name): Planned[] => {
    const field = fields[name]
    const label = fieldNames[name]
    const [before, after] = [row.value[name] ?? null, now.value[name] ?? null]
    if (!field || !label || isSameValue(field, after, before)) return []
    const isLeft = byHand.has(`${entity} ${entityId} ${name}`) || entity === 'negative' || before === null
    const item = { ...base, field: label, now: shown(name, after), atTakeover: shown(name, before) }
    return isLeft
      ? [{ item: { ...item, action: 'LEAVE', reason: 'CHANGED_BY_HAND' }, set: null }]
      : [{ item: { ...item, action: 'RESTORE', reason: null }, set: { [name]: before } }]
  })
}

/** Of placements the raise at the top of search, which is the one that decisions change. */
function shown(name: string, value: unknown): number | string | null {
  if (name !== 'placements') return typeof value === 'number' || typeof value === 'string' ? value : null
  const list = Array.isArray(value) ? (value as { placement: string; percentage: number }[]) : []
  return list.find(one => one.placement === topOfSearch)?.percentage ?? 0
}

/**
 * The fields that a person changed since take-over, here or at the marketplace, unless that was undone. An undo, and what the
 * marketplace gave back because it rejected it, are no changes by hand.
 */
async function changedByHand(tx: Db, group: Group, campaignIds: readonly number[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`select distinct c.entity || ' ' || c.entity_id || ' ' || c.field as key
    from entity_change c where c.merchant_id = ${group.merchantId} and c.campaign_id = any(${campaignIds}::bigint[])
      and c.at > ${group.takenOverAt} and c.field is not null and c.origin in ('USER', 'MARKETPLACE') and c.undoes is null
      and not exists (select from entity_change o where o.merchant_id = ${group.merchantId} and o.undoes = c.id)`.execute(
    tx,
  )
  return new Set(rows.map(row => row.key))
}

/** What decisions created and is still there: keywords are paused, negatives removed. */
async function createdSince(
  tx: Db,
  profile: Profile,
  group: Group,
  names: ReturnType<typeof namesOf>,
): Promise<Planned[]> {
  const { rows } = await sql<StoredDecision>`select ${decisionColumns} from optimizer_decision d
    where d.merchant_id = ${group.merchantId} and d.group_id = ${group.id} and d.created_id is not null
      and d.state in ('SENT', 'CONFIRMED') order by d.kind = 'harvest', d.id`.execute(tx)
  const planned: Planned[] = []
  for (const one of rows) {
    const id = await createdRow(tx, profile, one)
    if (id === null || one.campaignId === null) continue
    const entity = one.kind === 'harvest' ? ('target' as const) : ('negative' as const)
    const now = await stateOf(tx, profile, entity, id)
    if (entity === 'target' && now === 'PAUSED') continue
    const item: Item = {
      entity,
      entityId: id,
      name: String(one.kind === 'harvest' ? one.before : one.after),
      campaignId: one.campaignId,
      campaignName: names('campaign', one.campaignId),
      field: 'state',
      now,
      atTakeover: null,
      action: entity === 'target' ? 'PAUSE' : 'REMOVE',
      reason: null,
    }
    planned.push({ item, set: entity === 'target' ? { state: 'PAUSED' } : null })
  }
  return planned
}

async function stateOf(tx: Db, { merchantId }: Profile, entity: 'target' | 'negative', id: number): Promise<string> {
  const { rows } = await sql<{ state: string }>`select state from ${sql.table(entity)}
    where merchant_id = ${merchantId} and id = ${id}`.execute(tx)
  return rows[0]?.state ?? ''
}

/**
 * Ends the decisions of a group of the current account at once: what was not sent yet is dropped, proposals are over. With `restore`
 * everything that no person changed since gets its value from the day of take-over, as one act of the ledger. Throws NOT_FOUND,
 * RULE_VIOLATED where it is stopped already and nothing is to be put back.
 */
export async function stopGroup(
  ctx: Ctx,
  id: number,
  { restore }: { restore: boolean },
): Promise<EndpointOutput<typeof optimizerEndpoints.stop>> {
  const profile = await currentProfile(ctx)
  const now = ctx.clock.now()
  return ctx.db.tenant(profile.merchantId, async tx => {
    const group = await readGroup(tx, profile, id, { lock: true })
    if (group.state === 'STOPPED' && !restore) throw new AppError('RULE_VIOLATED', 'This group is stopped already.')
    if (group.state !== 'STOPPED') await endGroup(ctx, tx, group, now)
    const planned = restore ? await planRestore(tx, profile, group) : []
    const { changeGroup, restored, left } = await carryOut(ctx, tx, profile, planned)
    await auditGroup(ctx, tx, group, 'optimizer.stop', { restore, restored })
    return { group: await answerOf(tx, profile, id, now), changeGroup, restored, left }
  })
}

async function endGroup(ctx: Ctx, tx: Db, { merchantId, id }: Group, now: Date): Promise<void> {
  await sql`update optimizer_group set state = 'STOPPED', stopped_at = ${now} where merchant_id = ${merchantId} and id = ${id}`.execute(
    tx,
  )
  await sql`update optimizer_campaign set left_at = ${now} where merchant_id = ${merchantId} and group_id = ${id}
    and left_at is null`.execute(tx)
  await dropWaiting(ctx, tx, { merchantId, id }, sql`true`, now)
}

/** What was decided and not sent, or proposed, is over; what was sent is awaited. */
async function dropWaiting(
  ctx: Ctx,
  tx: Db,
  { merchantId, id }: Pick<Group, 'merchantId' | 'id'>,
  which: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  await sql`update optimizer_decision d set state = 'EXPIRED', settled_at = ${now} where d.merchant_id = ${merchantId}
    and d.group_id = ${id} and d.state = 'QUEUED' and ${which}`.execute(tx)
  await endProposals(ctx, tx, merchantId, sql`d.group_id = ${id} and ${which}`, now)
}

async function carryOut(ctx: Ctx, tx: Db, profile: Profile, planned: readonly Planned[]) {
  const left = planned.filter(one => one.item.action === 'LEAVE').map(one => one.item)
  const due = planned.filter(one => one.item.action !== 'LEAVE')
  if (!due.length) return { changeGroup: null, restored: 0, left }
  const changeGroup = newGroup()
  const at = ctx.clock.now()
  for (const { item } of due.filter(one => one.item.entity === 'negative'))
    await removeNegative(ctx, tx, profile, item.entityId, { accountId: ctx.actor.accountId, groupId: changeGroup, at })
  const edits = due.filter(one => one.set)
  const byRow = [...Map.groupBy(edits, ({ item }) => `${item.entity} ${item.entityId}`).values()]
  const items = byRow.flatMap(own => {
    const [first] = own
    if (!first || first.item.entity === 'negative') return []
    const { entity, entityId } = first.item
    return {
      entity,
      id: entityId,
      version: null,
      set: Object.assign({}, ...own.map(one => one.set)) as Record<string, unknown>,
    }
  })
  const outcomes = await editMany(ctx, tx, profile, items, { origin: 'USER', groupId: changeGroup, at })
  const failed = byRow.flatMap((own, i) => (outcomes[i]?.status === 'INVALID' ? own : []))
  return {
    changeGroup,
    restored: due.length - failed.length,
    left: [...left, ...failed.map(({ item }) => ({ ...item, action: 'LEAVE' as const, reason: 'ARCHIVED' as const }))],
  }
}

/** Takes one campaign out of its group at once, and leaves its values; the last one stops the group. Throws NOT_FOUND. */
export async function stopCampaign(ctx: Ctx, campaignId: number): Promise<void> {
  const profile = await currentProfile(ctx)
  const { merchantId, profileId } = profile
  const now = ctx.clock.now()
  await ctx.db.tenant(merchantId, async tx => {
    const { rows } = await sql<{ groupId: number }>`select o.group_id as "groupId" from optimizer_campaign o
      join optimizer_group g on g.merchant_id = o.merchant_id and g.id = o.group_id and g.profile_id = ${profileId}
      where o.merchant_id = ${merchantId} and o.campaign_id = ${campaignId} and o.left_at is null`.execute(tx)
    const [found] = rows
    if (!found) throw new AppError('NOT_FOUND', 'This campaign is in no group.')
    const group = await readGroup(tx, profile, found.groupId, { lock: true })
    if (group.campaignIds.length <= 1) await endGroup(ctx, tx, group, now)
    else {
      await sql`update optimizer_campaign set left_at = ${now} where merchant_id = ${merchantId} and group_id = ${group.id}
        and campaign_id = ${campaignId}`.execute(tx)
      await dropWaiting(ctx, tx, group, sql`d.campaign_id = ${campaignId}`, now)
    }
    await auditGroup(ctx, tx, group, 'optimizer.stop_campaign', { campaignId })
  })
}
