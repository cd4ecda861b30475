import * as v from 'valibot'
import { notificationKinds } from '#features/notifications/contract.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { money } from '#shared/money.ts'
import { day, id } from '#shared/query-schemas.ts'
import { attentionReasons } from './attention.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const days = v.object({ from: day, to: day })
const nullableNumber = v.nullable(v.number())
/** Money in units of the client's currency; `acos` in percent. Null: there were no sales. */
const figures = v.object({ cost: money, sales: money, acos: nullableNumber })

/** One merchant in one marketplace. */
const clientSchema = v.object({
  merchantId: id,
  merchantName: v.string(),
  marketplaceId: v.number(),
  countryCode: v.string(),
  currency: v.string(),
  /** Null before the first import. */
  now: v.nullable(figures),
  before: v.nullable(figures),
  openAlerts: v.number(),
  /** The kind of the strongest open alert. */
  strongestAlert: v.nullable(v.picklist(notificationKinds)),
  /** The last change of a campaign or of what is in it, by anybody; null without one. */
  lastChangeAt: v.nullable(instant),
  /** What needs attention most; null when nothing does. */
  reason: v.nullable(v.picklist(attentionReasons)),
})
export type Client = v.InferOutput<typeof clientSchema>

const clientsSchema = v.object({
  now: days,
  before: days,
  /** From this day on, sales may still change; null when all days have settled or nothing is imported. */
  movingFrom: v.nullable(day),
  /** Those that need attention first: by how unusual it is times the spend. */
  clients: v.array(clientSchema),
  /** Merchants that are left out because no subscription covers them. */
  withoutAccess: v.number(),
})
export type Clients = v.InferOutput<typeof clientsSchema>

export const clientsEndpoints = {
  list: defineEndpoint({
    method: 'GET',
    path: '/clients',
    access: 'subscription',
    authority: 'AGENCY',
    summary:
      'All merchants and marketplaces of an agency with seven days beside the seven before, by what needs attention',
    response: clientsSchema,
  }),
}
