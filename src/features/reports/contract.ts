import * as v from 'valibot'
import { asinSchema } from '#features/recommendations/contract.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { exportFormats } from '#shared/export-file.ts'
import { day, dayRangeMessage, id, isDayRange, moment, pageOf, paging, queryId } from '#shared/query-schemas.ts'

/** What a report can be about. */
export const reportKinds = {
  ACCOUNT: { label: 'Account performance', file: 'account' },
  CAMPAIGNS: { label: 'Campaign performance', file: 'campaigns' },
  ASIN: { label: 'Product (ASIN) performance', file: 'products' },
  KEYWORDS: { label: 'Keyword performance', file: 'keywords' },
  SEARCH_TERMS: { label: 'Search term performance', file: 'search terms' },
} as const
export type ReportKind = keyof typeof reportKinds
const kindNames = Object.keys(reportKinds) as [ReportKind, ...ReportKind[]]

export const reportFormats = ['PDF', 'XLSX', 'CSV'] as const
export type ReportFormat = (typeof reportFormats)[number]
export const frequencies = ['WEEKLY', 'MONTHLY'] as const
export type Frequency = (typeof frequencies)[number]
const mediaTypes = { PDF: 'application/pdf', CSV: exportFormats.csv, XLSX: exportFormats.xlsx } as const

/** For how long the file of a report is kept, and how long a signed link to it holds. */
export const keptDays = 730
export const linkMinutes = 10

const kind = v.picklist(kindNames, 'Choose what the report is about')
const format = v.picklist(reportFormats, 'Choose PDF, XLSX or CSV')
const frequency = v.picklist(frequencies, 'Choose weekly or monthly')

/** The most products that a report can be limited to. */
export const mostAsins = 200
export const asinList = v.pipe(
  v.array(asinSchema),
  v.minLength(1, 'Enter at least one ASIN'),
  v.maxLength(mostAsins, `Enter at most ${mostAsins} ASINs`),
  v.transform(asins => [...new Set(asins)]),
)

export const newReport = v.pipe(
  v.strictObject({
    kind,
    format,
    dateFrom: day,
    dateTo: day,
    /** Only these products, in a report about products. */
    asins: v.optional(asinList),
    /** Null for the look of Tideline; absent for the account's default. */
    brandingProfileId: v.optional(v.nullable(id)),
    /** Also makes such a report of each week or month that ends from now on, and mails it. */
    schedule: v.optional(v.strictObject({ frequency })),
  }),
  v.check(request => isDayRange(request), dayRangeMessage),
  v.check(({ kind: about, asins }) => about === 'ASIN' || !asins, 'Only a report about products takes ASINs'),
)

export const report = v.object({
  id,
  kind,
  format,
  dateFrom: day,
  dateTo: day,
  marketplaceId: v.number(),
  /** The products that it is limited to; null: all. */
  asins: v.nullable(v.array(v.string())),
  /** Null where it was requested by hand. */
  scheduleId: v.nullable(id),
  status: v.picklist(['QUEUED', 'RUNNING', 'READY', 'FAILED']),
  /** Whole percent, and what is being done. */
  progress: v.number(),
  step: v.string(),
  /** Why it failed; else null. */
  problem: v.nullable(v.string()),
  fileName: v.nullable(v.string()),
  sizeBytes: v.nullable(v.number()),
  createdAt: moment,
  finishedAt: v.nullable(moment),
  /** When its file is deleted. */
  expiresAt: moment,
})
export type Report = v.InferOutput<typeof report>

const schedule = v.object({
  id,
  kind,
  format,
  frequency,
  marketplaceId: v.number(),
  /** The products that its reports are limited to; null: all. */
  asins: v.nullable(v.array(v.string())),
  brandingProfileId: v.nullable(id),
  isPaused: v.boolean(),
  /** When the next report is made, and of which days. */
  nextAt: moment,
  nextFrom: day,
  nextTo: day,
})
export type Schedule = v.InferOutput<typeof schedule>

const path = '/performance-reports'
const access = 'subscription'
const errors = ['RULE_VIOLATED'] as const
const one = { params: v.object({ id: queryId }), access, errors: ['NOT_FOUND', 'RULE_VIOLATED'] } as const

export const reportEndpoints = {
  create: defineEndpoint({
    method: 'POST',
    path,
    access,
    summary: 'Request a report of the current marketplace, once or for each week or month from now on',
    body: newReport,
    response: v.object({ id, scheduleId: v.nullable(id) }),
    status: 202,
    idempotencyKey: true,
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
  list: defineEndpoint({
    method: 'GET',
    path,
    access,
    summary: 'The reports of the current merchant, newest first',
    query: v.strictObject({ ...paging }),
    response: pageOf(report),
    errors,
  }),
  search: defineEndpoint({
    method: 'GET',
    path: `${path}/search`,
    access,
    summary: 'The reports whose kind, format, days or file name contain the text',
    query: v.strictObject({
      ...paging,
      query: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'Must be at most 100 characters')), ''),
    }),
    response: pageOf(report),
    errors,
  }),
  one: defineEndpoint({ ...one, method: 'GET', path: `${path}/:id`, summary: 'One report', response: report }),
  remove: defineEndpoint({
    ...one,
    method: 'DELETE',
    path: `${path}/:id`,
    summary: 'Delete a report; until the next night it can be restored',
    response: v.null(),
    status: 204,
  }),
  restore: defineEndpoint({
    ...one,
    method: 'POST',
    path: `${path}/:id/restore`,
    summary: 'Restore a report that was deleted today',
    response: report,
  }),
  retry: defineEndpoint({
    ...one,
    method: 'POST',
    path: `${path}/:id/retry`,
    summary: 'Make a report again that failed',
    response: report,
    status: 202,
  }),
  download: defineEndpoint({
    ...one,
    method: 'GET',
    path: `${path}/:id/download`,
    summary: 'The file of a report',
    response: v.unknown(),
    file: Object.values(mediaTypes),
  }),
  downloadUrl: defineEndpoint({
    ...one,
    method: 'GET',
    path: `${path}/:id/download-url`,
    summary: 'A link to the file of a report that needs no log-in, for ten minutes',
    response: v.object({ url: v.string(), expiresAt: moment }),
  }),
  /** Its signature is the permission. */
  file: defineEndpoint({
    method: 'GET',
    path: `${path}/:id/file`,
    access: 'public',
    summary: 'The file of a report by a signed link',
    params: v.object({ id: queryId }),
    query: v.strictObject({
      merchant: queryId,
      expires: queryId,
      signature: v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'Must be a signature')),
    }),
    response: v.unknown(),
    file: Object.values(mediaTypes),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  schedules: defineEndpoint({
    method: 'GET',
    path: `${path}/schedules`,
    access,
    summary: 'The schedules of the current merchant, the next due one first',
    response: v.object({ content: v.array(schedule) }),
    errors,
  }),
  updateSchedule: defineEndpoint({
    ...one,
    method: 'PUT',
    path: `${path}/schedules/:id`,
    summary: 'Pause or resume a schedule; one that is resumed continues with the next period to end',
    body: v.strictObject({ isPaused: v.boolean() }),
    response: schedule,
  }),
  removeSchedule: defineEndpoint({
    ...one,
    method: 'DELETE',
    path: `${path}/schedules/:id`,
    summary: 'Delete a schedule; its reports stay',
    response: v.null(),
    status: 204,
  }),
}
