import type { Actor, Ctx, Services } from '#server/context.ts'
import type { NotificationAction } from '../contract.ts'

/** What is to be done about a campaign. */
export interface ActionTask {
  merchantId: number
  profileId: number
  campaignId: number
  /** What the action needs to know beside the campaign: of UNDO_CHANGE the group of the changes. */
  detail: string | null
  /**
   * The group for the changes that it makes. A task that is repeated has the same one, because its answer was lost: what
   * was done under it is not done again, and its answer is the same.
   */
  groupId: string
  /** How far to raise the budget; undefined: to what is recommended. */
  raise?: { percent: number } | { budget: number }
  /** Another number than was proposed. */
  after?: number
}

/** What was done, as a sentence, with the group of the changes by which it can be undone; null where nothing was changed. */
export interface ActionDone {
  message: string
  changeGroup: string | null
}

/**
 * Does what a notification offers. Called as the user who taps, with the campaign's merchant and marketplace as the current
 * ones, outside of any transaction. Throws FORBIDDEN to viewers, and an AppError with a sentence for the user where it
 * cannot be done.
 */
export type ActionActor = (ctx: Ctx, task: ActionTask) => Promise<ActionDone>

/** By action; one without an actor is not offered. */
export type ActionActors = Partial<Record<NotificationAction, ActionActor>>

/** The actor of a session, working with this merchant and marketplace; null once the session has ended. */
export type ActorOfSession = (
  services: Services,
  sessionId: string,
  shop: { merchantId: number; marketplaceId: number },
) => Promise<Actor | null>
