import { daysBetween } from '#shared/time.ts'
import { type AdsFailure, reportingFailure } from '../ads-failure.ts'
import type { ReportType } from './report-types.ts'
import { reportTypes } from './report-types.ts'

export interface ReportConfiguration {
  adProduct: string
  reportTypeId: string
  groupBy: string[]
  columns: string[]
  filters: { field: string; values: string[] }[] | null
  timeUnit: 'DAILY' | 'SUMMARY'
  format: string
}

export interface ReportRequest {
  name: string | null
  startDate: string
  endDate: string
  configuration: ReportConfiguration
}

const refuse = (detail: string): AdsFailure => reportingFailure(400, detail)

function texts(value: unknown, name: string): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.some(one => typeof one !== 'string'))
    throw refuse(`configuration ${name} cannot be null or empty`)
  return value as string[]
}

function readDay(value: unknown, name: string): string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(Date.parse(value)))
    throw refuse(`${name} must be a date of the form YYYY-MM-DD`)
  return value
}

function checkDays(startDate: string, endDate: string, today: string, type: ReportType): void {
  if (endDate < startDate) throw refuse('configuration endDate must not be before startDate')
  if (endDate > today) throw refuse('configuration endDate must not be in the future')
  if (daysBetween(startDate, endDate) + 1 > type.mostDays)
    throw refuse(
      `configuration startDate to endDate range is too large. Range exceeds maximum of ${type.mostDays} days.`,
    )
  if (daysBetween(startDate, today) > type.retentionDays)
    throw refuse(`configuration startDate is beyond the data retention of ${type.retentionDays} days.`)
}

function checkColumns(columns: readonly string[], groupBy: readonly string[], type: ReportType, timeUnit: string) {
  const allowed = new Set([...type.columns, ...groupBy.flatMap(group => type.groups[group]?.columns ?? [])])
  const wrong = columns.filter(column => !allowed.has(column))
  if (wrong.length > 0)
    throw refuse(
      `configuration columns includes invalid values: (${wrong.join(', ')}). Allowed values: (${[...allowed].join(', ')})`,
    )
  if (timeUnit === 'SUMMARY' && columns.includes('date'))
    throw refuse('configuration columns: date is not supported with timeUnit SUMMARY')
  if (timeUnit === 'DAILY' && (columns.includes('startDate') || columns.includes('endDate')))
    throw refuse('configuration columns: startDate and endDate are not supported with timeUnit DAILY')
  if (groupBy.includes('campaignPlacement') && columns.includes('topOfSearchImpressionShare'))
    throw refuse('configuration columns: topOfSearchImpressionShare is not supported with campaignPlacement')
}

function readFilters(value: unknown, groupBy: readonly string[], type: ReportType): ReportConfiguration['filters'] {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value)) throw refuse('configuration filters must be a list')
  return value.map((one: unknown) => {
    const { field, values } = (one ?? {}) as { field?: unknown; values?: unknown }
    if (typeof field !== 'string' || !Array.isArray(values) || values.some(text => typeof text !== 'string'))
      throw refuse('configuration filters need a field and a list of values')
    const allowed = groupBy.map(group => type.groups[group]?.filters[field]).find(Boolean)
    if (!allowed) throw refuse(`configuration filters includes invalid field: (${field})`)
    const wrong = (values as string[]).filter(text => !allowed.includes(text))
    if (wrong.length > 0) throw refuse(`configuration filters ${field} includes invalid values: (${wrong.join(', ')})`)
    return { field, values: values as string[] }
  })
}

/** The request, checked as the marketplace checks it. `today` is that of the profile's time zone. Throws 400. */
export function readReportRequest(body: Record<string, unknown>, today: string): ReportRequest {
  const configuration = (body.configuration ?? {}) as Record<string, unknown>
  const { adProduct, reportTypeId, timeUnit, format } = configuration
  const type = Object.hasOwn(reportTypes, String(reportTypeId)) ? reportTypes[String(reportTypeId)] : undefined
  if (!type || adProduct !== type.adProduct)
    throw refuse(`configuration reportTypeId ${String(reportTypeId)} is not supported for ${String(adProduct)}`)
  if (timeUnit !== 'DAILY' && timeUnit !== 'SUMMARY') throw refuse('configuration timeUnit must be DAILY or SUMMARY')
  if (typeof format !== 'string' || !type.formats.includes(format))
    throw refuse(`configuration format must be one of: (${type.formats.join(', ')})`)
  const groupBy = texts(configuration.groupBy, 'groupBy')
  const wrong = groupBy.filter(group => !Object.hasOwn(type.groups, group))
  if (wrong.length > 0)
    throw refuse(
      `configuration groupBy includes invalid values: (${wrong.join(', ')}). Allowed values: (${Object.keys(type.groups).join(', ')})`,
    )
  const columns = texts(configuration.columns, 'columns')
  checkColumns(columns, groupBy, type, timeUnit)
  const startDate = readDay(body.startDate, 'startDate')
  const endDate = readDay(body.endDate, 'endDate')
  checkDays(startDate, endDate, today, type)
  return {
    name: typeof body.name === 'string' ? body.name : null,
    startDate,
    endDate,
    configuration: {
      adProduct: type.adProduct,
      columns,
      filters: readFilters(configuration.filters, groupBy, type),
      format,
      groupBy,
      reportTypeId: String(reportTypeId),
      timeUnit,
    },
  }
}
