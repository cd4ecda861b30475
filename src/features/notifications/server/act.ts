import { randomUUID } from 'node:crypto'
import { profileById, requireOwner } from '#features/accounts/server/public.ts'
import type { Ctx, PublicCtx } from '#server/context.ts'
import { holds } from '#shared/authority.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import type { NotificationAction } from '../contract.ts'
import type { ActionActors, ActionTask, ActorOfSession } from './actors.ts'
import { announceDismissal, closed, obstacle } from './decide.ts'
import { announceChange, settleCause } from './notify.ts'
import { lockNotification, readNotificationRow, statusOf, type Viewer } from './notification-rows.ts'

type Notification = Row<'notification'>

/** How actions are done, and by whom; main knows. */
export interface Acting {
  actors: ActionActors
  actorOf: ActorOfSession
}

/** Who acts, in which session. */
export type Person = Viewer & { sessionId: string }

interface Begun {
  /** The row that the action is about; null where it was done before, with its answer. */
  row: Notification | null
  answer: string
  groupId: string
}

/**
 * Does what a notification offers, once however often it is asked for, and settles the same cause for everybody else.
 * Returns the sentence about what was done. Throws NOT_FOUND, FORBIDDEN to viewers, SUBSCRIPTION_REQUIRED, CONFLICT where it
 * was decided otherwise or is over, RULE_VIOLATED where it is not offered or cannot be done.
 */
export async function act(
  ctx: PublicCtx,
  person: Person,
  { actors, actorOf }: Acting,
  { id, action, raise, after }: { id: number; action: NotificationAction } & Pick<ActionTask, 'raise' | 'after'>,
): Promise<string> {
  const actor = actors[action]
  if (!actor) throw notOffered()
  const { row, groupId, answer } = await begin(ctx, person, id, action)
  if (!row) return answer
  const place = placeOf(row)
  try {
    const acting = await shopCtx(ctx, person, actorOf, place)
    const task = {
      ...place,
      detail: row.action_detail,
      groupId,
      ...(raise && { raise }),
      ...(after !== undefined && { after }),
    }
    const { message, changeGroup } = await actor(acting, task)
    await record(ctx, person, row, { action, message, changeGroup })
    return message
  } catch (error) {
    // Nothing was done, so a later try is a new one.
    if (error instanceof AppError && error.code !== 'OUTCOME_UNKNOWN') await forget(ctx, id, groupId)
    throw error
  }
}

const notOffered = () => new AppError('RULE_VIOLATED', 'This notification does not offer that.')

// The group is saved before anything is done: if the process dies in between, a repeated call finds what was done by it. Two
// users who act on the same cause at once share it, so that the second finds what the first does.
function begin(ctx: PublicCtx, person: Person, id: number, action: NotificationAction): Promise<Begun> {
  return ctx.db.transaction(async tx => {
    const { row, begun } = await lockCause(tx, person, id)
    const groupId = row.change_group ?? begun ?? randomUUID()
    if (row.decision === 'DONE' && row.decision_detail === action)
      return { row: null, answer: row.answer ?? 'Done.', groupId }
    const error = obstacle(row, ctx.clock.now())
    // What was begun may itself have ended the cause.
    const wasBegun = row.change_group !== null && statusOf(row, ctx.clock.now()) === 'SETTLED'
    if (error && !wasBegun) throw error
    if (!row.actions.includes(action)) throw notOffered()
    if (row.change_group === null)
      await tx.updateTable('notification').set({ change_group: groupId }).where('id', '=', id).execute()
    return { row, answer: '', groupId }
  })
}

/** A notification of the user, and the group of what another user has begun about its cause; all of them locked. */
async function lockCause(tx: Db, person: Person, id: number) {
  const others = await lockUndecided(tx, await readNotificationRow(tx, person, id))
  const begun = others.find(other => other.id !== id && other.group !== null)?.group ?? null
  return { row: await lockNotification(tx, person, id), begun }
}

// Rows of a cause are locked in one order before any of them is changed, so that two users never wait for each other's.
function lockUndecided(tx: Db, { id, cause, merchant_id: merchantId }: Notification) {
  return tx
    .selectFrom('notification')
    .select(['id', 'change_group as group'])
    .where('cause', '=', cause)
    .where('merchant_id', 'is not distinct from', merchantId)
    .where(where => where.or([where('decision', 'is', null), where('id', '=', id)]))
    .orderBy('id')
    .forUpdate()
    .execute()
}

async function forget({ db }: PublicCtx, id: number, groupId: string): Promise<void> {
  await db.system
    .updateTable('notification')
    .set({ change_group: null })
    .where('id', '=', id)
    .where('change_group', '=', groupId)
    .where('decision', 'is', null)
    .execute()
}

type Place = Pick<ActionTask, 'merchantId' | 'profileId' | 'campaignId'>

function placeOf(row: Notification): Place {
  const { merchant_id: merchantId, profile_id: profileId, campaign_id: campaignId } = row
  if (merchantId === null || profileId === null || campaignId === null) throw notOffered()
  return { merchantId, profileId, campaignId }
}

/** The context of the same user working with the shop that a notification is about, whichever is chosen at the moment. */
async function shopCtx(
  ctx: PublicCtx,
  { sessionId }: Person,
  actorOf: ActorOfSession,
  { merchantId, profileId }: Place,
): Promise<Ctx> {
  const { marketplaceId } = await ctx.db.reading(merchantId, tx => profileById(tx, merchantId, profileId))
  const actor = await actorOf(ctx, sessionId, { merchantId, marketplaceId })
  if (!actor) throw new AppError('UNAUTHENTICATED', 'Please log in.')
  const acting: Ctx = { ...ctx, actor, shop: null, ifMatch: null, saveAnswer: async () => undefined }
  if (!holds(actor, 'MERCHANT_MANAGER'))
    throw new AppError('FORBIDDEN', 'You may look at this merchant, but not change it.')
  await requireOwner(acting, merchantId)
  if (!actor.hasAccess)
    throw new AppError('SUBSCRIPTION_REQUIRED', 'You need a subscription for this. Choose a plan to continue.')
  return acting
}

async function record(
  ctx: PublicCtx,
  { accountId }: Person,
  row: Notification,
  done: { action: NotificationAction; message: string; changeGroup: string | null },
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transaction(async tx => {
    const decision = {
      decision: 'DONE' as const,
      decision_detail: done.action,
      decided_at: now,
      answer: done.message,
      change_group: done.changeGroup,
      settled_at: null,
    }
    await lockUndecided(tx, row)
    const { numUpdatedRows } = await tx
      .updateTable('notification')
      .set({ ...closed(row, now), ...decision })
      .where('id', '=', row.id)
      .where('decision', 'is', null)
      .executeTakeFirst()
    if (!numUpdatedRows) return
    await announceChange(ctx, tx, [accountId])
    if (row.merchant_id !== null)
      await settleCause(ctx, tx, { merchantId: row.merchant_id, cause: row.cause, exceptId: row.id }, now)
  })
}

/**
 * Takes a decision back: the notification is open again, for everybody whom it settled, and what was done is undone. Where
 * there is no decision it changes nothing. Throws NOT_FOUND, FORBIDDEN to viewers, CONFLICT where something newer stands in
 * the way or there is nothing that could be undone, RULE_VIOLATED.
 */
export async function undo(ctx: Ctx, { actors, actorOf }: Acting, id: number): Promise<string> {
  const row = await ctx.db.transaction(tx => lockNotification(tx, ctx.actor, id))
  const status = statusOf(row, ctx.clock.now())
  if (status === 'OPEN') return 'It is open again.'
  if (status === 'NEWS' || status === 'SETTLED') throw new AppError('CONFLICT', 'There is no decision to undo.')
  let message = 'It is open again.'
  if (status === 'DONE') {
    if (row.change_group === null || !actors.UNDO_CHANGE)
      throw new AppError('CONFLICT', 'Nothing was changed, so there is nothing to undo.')
    const place = placeOf(row)
    const acting = await shopCtx(ctx, ctx.actor, actorOf, place)
    ;({ message } = await actors.UNDO_CHANGE(acting, { ...place, detail: row.change_group, groupId: randomUUID() }))
  }
  await reopen(ctx, row)
  return message
}

function reopen(ctx: Ctx, row: Notification): Promise<void> {
  const { decided_at: decidedAt, merchant_id: merchantId } = row
  return ctx.db.transaction(async tx => {
    await lockUndecided(tx, row)
    const before = await lockNotification(tx, ctx.actor, row.id)
    if (before.decision === 'DISMISSED') await announceDismissal(ctx, tx, before, null)
    const noDecision = { decision: null, decision_detail: null, decided_at: null, answer: null, change_group: null }
    await tx
      .updateTable('notification')
      .set({ ...noDecision, snoozed_until: null, settled_at: null })
      .where('id', '=', row.id)
      .execute()
    const others =
      row.decision === 'DONE' && merchantId !== null && decidedAt !== null
        ? await tx
            .updateTable('notification')
            .set({ settled_at: null })
            .where('merchant_id', '=', merchantId)
            .where('cause', '=', row.cause)
            .where('settled_at', '=', decidedAt)
            .where('decision', 'is', null)
            .returning('account_id')
            .execute()
        : []
    await announceChange(ctx, tx, [ctx.actor.accountId, ...others.map(other => other.account_id)])
  })
}
