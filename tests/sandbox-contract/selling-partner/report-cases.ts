import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { checkOfFile } from '../models.ts'
import { at, listAt, textAt } from '../selling-partner-world.ts'
import { HOUR, type Judge } from './judge.ts'

/** Reports and their schedules. */
export function reportCases({ ask, world, app, marketplaceId }: Judge): void {
  test('a report from its order to its file', async () => {
    const reportType = 'GET_SALES_AND_TRAFFIC_REPORT'
    const order = {
      reportType,
      marketplaceIds: [marketplaceId],
      dataStartTime: '2026-11-01T12:00:00Z',
      dataEndTime: '2026-11-07T12:00:00Z',
      reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
    }
    const created = await ask('createReport', { body: order })
    expect(created.status).toBe(202)
    const reportId = textAt(created.body, 'reportId')
    expect(at((await ask('getReport', { path: { reportId } })).body, 'processingStatus')).toBe('IN_QUEUE')
    world().clock.advance(10_000)
    expect(
      listAt((await ask('getReports', { query: { reportTypes: reportType } })).body, 'reports').length,
    ).toBeGreaterThan(0)
    expect((await ask('getReports')).status).toBe(400)
    const done = await ask('getReport', { path: { reportId } })
    const reportDocumentId = textAt(done.body, 'reportDocumentId')
    const document = await ask('getReportDocument', { path: { reportDocumentId } })
    expect(at(document.body, 'compressionAlgorithm')).toBe('GZIP')
    const file = await app().inject(textAt(document.body, 'url').replace('http://sandbox.test', ''))
    const rows = JSON.parse(gunzipSync(file.rawPayload).toString()) as { salesAndTrafficByDate: unknown[] }
    expect(rows.salesAndTrafficByDate).toHaveLength(7)
    const check = checkOfFile('reports/sellerSalesAndTrafficReport.json')
    check?.(rows)
    expect(check?.errors ?? []).toEqual([])
    expect((await ask('cancelReport', { path: { reportId } })).status).toBe(400)
    expect((await ask('createReport', { body: { ...order, reportOptions: { dateGranularity: 'HOUR' } } })).status).toBe(
      400,
    )
  })

  test('a schedule and its reports', async () => {
    const reportType = 'GET_FLAT_FILE_OPEN_LISTINGS_DATA'
    const body = { reportType, marketplaceIds: [marketplaceId], period: 'PT8H' }
    const created = await ask('createReportSchedule', { body })
    expect(created.status).toBe(201)
    const reportScheduleId = textAt(created.body, 'reportScheduleId')
    world().clock.advance(17 * HOUR)
    const { body: listed } = await ask('getReports', { query: { reportTypes: reportType } })
    expect(at(listed, 'reports')).toHaveLength(3)
    expect(at(listed, 'reports', 0, 'reportScheduleId')).toBe(reportScheduleId)
    expect(
      at((await ask('getReportSchedules', { query: { reportTypes: reportType } })).body, 'reportSchedules'),
    ).toHaveLength(1)
    expect(at((await ask('getReportSchedule', { path: { reportScheduleId } })).body, 'period')).toBe('PT8H')
    expect((await ask('cancelReportSchedule', { path: { reportScheduleId } })).status).toBe(200)
    expect((await ask('getReportSchedule', { path: { reportScheduleId } })).status).toBe(404)
    expect((await ask('createReportSchedule', { body: { ...body, period: 'P4D' } })).status).toBe(400)
  })

  test('a report that is still in the queue is cancelled', async () => {
    const order = { reportType: 'GET_FLAT_FILE_OPEN_LISTINGS_DATA', marketplaceIds: [marketplaceId] }
    const path = { reportId: textAt((await ask('createReport', { body: order })).body, 'reportId') }
    expect((await ask('cancelReport', { path })).status).toBe(200)
    world().clock.advance(10_000)
    expect(at((await ask('getReport', { path })).body, 'processingStatus')).toBe('CANCELLED')
  })
}
