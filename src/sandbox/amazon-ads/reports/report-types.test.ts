import { describe, expect, test } from 'vitest'
import { addDays } from '#shared/time.ts'
import { readReportRequest } from './report-request.ts'
import { cellOf } from './columns.ts'
import { reportTypes } from './report-types.ts'

const TODAY = '2026-11-21'

function ask(reportTypeId: string, [startDate, endDate]: [string, string], change: object = {}) {
  const type = reportTypes[reportTypeId] ?? expect.unreachable()
  const [groupBy = ''] = Object.keys(type.groups)
  const columns = [...type.columns, ...(type.groups[groupBy]?.columns ?? [])].filter(
    column => column !== 'startDate' && column !== 'endDate' && column !== 'topOfSearchImpressionShare',
  )
  const format = type.formats[0]
  const { adProduct } = type
  const configuration = { adProduct, reportTypeId, groupBy: [groupBy], columns, timeUnit: 'DAILY', format, ...change }
  return readReportRequest({ startDate, endDate, configuration }, TODAY)
}

describe.each(Object.entries(reportTypes))('%s', (id, type) => {
  test('accepts each of its columns, over its maximum of days', () => {
    const first = addDays(TODAY, 1 - type.mostDays)
    expect(ask(id, [first, TODAY]).configuration.reportTypeId).toBe(id)
    for (const column of [...type.columns, ...Object.values(type.groups).flatMap(group => group.columns)])
      expect(cellOf(column), column).toBeTypeOf('function')
  })

  test('rejects one day more, days beyond retention, tomorrow, and other types’ columns, groups and formats', () => {
    const detail = (days: [string, string], change: object = {}): string => {
      try {
        ask(id, days, change)
      } catch (error) {
        return (error as Error).message
      }
      return 'accepted'
    }
    const old = addDays(TODAY, -type.retentionDays - 1)
    expect(detail([addDays(TODAY, -type.mostDays), TODAY])).toContain(`maximum of ${type.mostDays} days`)
    expect(detail([old, old])).toContain(`retention of ${type.retentionDays} days`)
    expect(detail([TODAY, addDays(TODAY, 1)])).toContain('future')
    const today: [string, string] = [TODAY, TODAY]
    expect(detail(today, { columns: ['weather'] })).toContain('(weather)')
    expect(detail(today, { groupBy: ['weather'] })).toContain('(weather)')
    expect(detail(today, { format: 'PDF' })).toContain(type.formats.join(', '))
    expect(detail(today, { adProduct: 'DEMAND_SIDE_PLATFORM' })).toContain('is not supported')
    expect(detail(today, { filters: [{ field: 'weather', values: ['fine'] }] })).toContain('(weather)')
  })
})
