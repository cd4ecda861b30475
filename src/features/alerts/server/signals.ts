import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'
import { evidenceFormats, notificationActions, notificationKinds } from '#features/notifications/contract.ts'

const cause = z.string().regex(/^[\w-]{1,32}$/)

/** Something at a merchant needs a decision. Raised again when its evidence has changed enough to say so. */
export const alertRaised = defineSignal({
  name: 'alerts.alert-raised',
  data: z.object({
    merchantId: z.number(),
    /** Only this user is notified: it is about their account. Absent: everyone who may see the merchant. */
    accountId: z.number().optional(),
    /** Null where it is about all profiles of the merchant. */
    profileId: z.number().nullable(),
    campaignId: z.number().nullable(),
    kind: z.enum(notificationKinds),
    /** One cause makes one notification that is open: for instance `budget-4711`. */
    cause,
    /** One event of the cause: it makes one push, however often it is raised. */
    occasion: z.string(),
    title: z.string(),
    body: z.string(),
    /** A path of the app. */
    url: z.string(),
    evidence: z.array(
      z.object({
        label: z.string(),
        format: z.enum(evidenceFormats),
        value: z.union([z.number(), z.string()]),
      }),
    ),
    /** Money at stake until somebody decides; null when it has no price. */
    stakeMicros: z.number().nullable(),
    currency: z.string().nullable(),
    actions: z.array(z.enum(notificationActions)),
    /** What an action needs to know beside the campaign: of UNDO_CHANGE the group of the changes that it undoes. */
    actionDetail: z.string().optional(),
    /** ISO: when the last of its evidence happened, by which the way to the push is measured. */
    happenedAt: z.string(),
  }),
})

/** The cause of an alert is over: its open notifications settle. */
export const alertSettled = defineSignal({
  name: 'alerts.alert-settled',
  data: z.object({ merchantId: z.number(), cause }),
})
