import { z } from 'zod'
import type { ReaderText } from '#shared/reader-text.ts'
import { evidenceFormats, notificationActions, notificationKinds } from '../contract.ts'

// What users are notified of, as the features that raise it announce it.

/** A launch has come to an end: whole, in part, or not at all. Announced again after a retry. */
export const endedLaunch = z.object({
  merchantId: z.number(),
  launchId: z.number(),
  /** The user who launched it and is notified. */
  accountId: z.number(),
  /** The campaign's name. */
  name: z.string(),
  status: z.enum(['COMPLETED', 'PARTIAL', 'FAILED']),
  /** ISO: tells this end from that of a retry. */
  finishedAt: z.string(),
})

/** A sentence whose values each user reads in their own format. */
const readerText = z.union([
  z.string(),
  z.array(
    z.union([
      z.string(),
      z.strictObject({ micros: z.number(), currency: z.string() }),
      z.strictObject({ number: z.number(), digits: z.number().optional() }),
      z.strictObject({ share: z.number(), digits: z.number().optional() }),
      z.strictObject({ time: z.string(), timeZone: z.string() }),
      z.strictObject({ day: z.string() }),
    ]),
  ),
]) as z.ZodType<ReaderText>

/** One cause makes one notification that is open: for instance `budget-4711`. It is the topic of its push. */
const cause = z.string().regex(/^[\w-]{1,32}$/)

/** Something at a merchant needs a decision. Raised again when its evidence has changed enough to say so. */
export const raisedAlert = z.object({
  merchantId: z.number(),
  /** Only this user is notified: it is about their account. Absent: everyone who may see the merchant. */
  accountId: z.number().optional(),
  /** Null where it is about all profiles of the merchant. */
  profileId: z.number().nullable(),
  campaignId: z.number().nullable(),
  kind: z.enum(notificationKinds),
  cause,
  /** One event of the cause: it makes one push, however often it is raised. */
  occasion: z.string(),
  title: readerText,
  body: readerText,
  /** A path of the app. */
  url: z.string(),
  evidence: z.array(
    z.object({
      label: z.string(),
      format: z.enum(evidenceFormats),
      value: z.union([z.number(), readerText]),
    }),
  ),
  /** Money at stake until somebody decides; null when it has no price. */
  stakeMicros: z.number().nullable(),
  currency: z.string().nullable(),
  actions: z.array(z.enum(notificationActions)),
  /** What an action needs to know beside the campaign: of UNDO_CHANGE the group of the changes that it undoes. */
  actionDetail: z.string().optional(),
  /** The number of a proposal that its approval may change: an amount in decimals, or a raise in percent. */
  proposed: z
    .object({
      unit: z.enum(['MONEY', 'PERCENT']),
      before: z.number().nullable(),
      after: z.number(),
      currency: z.string(),
    })
    .nullable()
    .optional(),
  /** How far it has come, in the unit of the kind's threshold: a user may want to hear of it later. */
  measure: z.number().optional(),
  /** ISO: when the last of its evidence happened. */
  happenedAt: z.string(),
})

/** The cause of an alert is over. Strict, so that an alert with a mistake in it is never taken for the end of one. */
export const settledCause = z.strictObject({ merchantId: z.number(), cause })
