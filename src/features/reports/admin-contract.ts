import * as v from 'valibot'
import { shortUser } from '#features/auth/user-contract.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { day, dayRangeMessage, id, isDayRange, pageOf, paging, queryId } from '#shared/query-schemas.ts'
import { asinList, report, reportEndpoints, reportFormats } from './contract.ts'

const adminReport = v.object({
  ...report.entries,
  /** For whom it was requested. */
  user: v.object({ id, ...shortUser.entries }),
  profileId: id,
  /** Of the advertising account; null once it is gone. */
  accountName: v.nullable(v.string()),
})
export type AdminReport = v.InferOutput<typeof adminReport>

const path = '/admin/performance-reports'
const managersOnly = { access: 'account', authority: 'CAMPAIGN_MANAGER', managing: 'blocked' } as const

export const adminReportEndpoints = {
  request: defineEndpoint({
    ...managersOnly,
    method: 'POST',
    path: `${path}/request-asin-report`,
    summary: 'Request a report about some products of a user, which only the campaign manager who requests it reads',
    body: v.pipe(
      v.strictObject({
        userId: id,
        /** One of the advertising accounts that the user owns; absent: the one that the user works in. */
        profileId: v.optional(id),
        asins: asinList,
        dateFrom: day,
        dateTo: day,
        format: v.picklist(reportFormats, 'Choose PDF, XLSX or CSV'),
      }),
      v.check(request => isDayRange(request), dayRangeMessage),
    ),
    response: v.object({ id }),
    status: 202,
    idempotencyKey: true,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED'],
  }),
  list: defineEndpoint({
    ...managersOnly,
    method: 'GET',
    path,
    summary: 'The reports that the caller requested for users whom the caller may manage, newest first',
    query: v.strictObject({ ...paging }),
    response: pageOf(adminReport),
  }),
  download: defineEndpoint({
    ...managersOnly,
    method: 'GET',
    path: `${path}/:id/download`,
    summary: 'The file of a report that a campaign manager requested for a user',
    params: v.object({ id: queryId }),
    response: v.unknown(),
    file: reportEndpoints.download.file,
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
}
