import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProfile, uploadLogo } from '#features/branding/server/profiles.ts'
import { campaignsListing, listFigures } from '#features/campaigns/server/public.ts'
import { getCards } from '#features/home/server/public.ts'
import { listAsins } from '#features/insights/server/public.ts'
import { importDays, importTrade } from '#features/metrics/server/public.ts'
import { listSearchTerms } from '#features/search-terms/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { jobs } from '../../../main/api.ts'
import { type ConnectedSeller, connectSeller } from '../../../../tests/support/connected-seller.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { readPdf } from '../../../../tests/support/read-pdf.ts'
import type { ReportKind } from '../contract.ts'
import { downloadReport, fileOfLink, signedLink } from './files.ts'
import { makeReport } from './make-report.job.ts'
import { getReport, listReports, removeReport, restoreReport } from './report-rows.ts'
import {
  listSchedules,
  makeDueReports,
  pauseSchedule,
  removeSchedule,
  requestReport,
  retryReport,
} from './request-report.ts'

let world: Awaited<ReturnType<typeof servicesWithOutside>>
let seller: ConnectedSeller
let ctx: Ctx
let days: { dateFrom: string; dateTo: string }
let now = new Date()
const run = { id: '1', attempt: 0, lastAttempt: true, signal: new AbortController().signal }

beforeAll(async () => {
  world = await servicesWithOutside({ jobs })
  seller = await connectSeller(world.services, { login: 'seller@sandbox.test', sellerId: 'A4DRIFTWOODUSX' })
  const us = seller.profiles.find(profile => profile.countryCode === 'US')
  if (!us) throw new Error('the seller has no US profile')
  const progress = { signal: run.signal, onProgress: async () => undefined }
  now = world.services.clock.now()
  const to = dayIn(now, us.timezone)
  days = { dateFrom: addDays(to, -20), dateTo: addDays(to, -1) }
  await importStructure(world.services, us, progress)
  await importDays(world.services, us, { ...progress, from: addDays(to, -41), to })
  await importTrade(world.services, us, addDays(to, -41), to, progress.signal)
  const actor = { ...seller.ctx.actor, authorities: ['ACCOUNT_MANAGER', 'AGENCY'] as const }
  ctx = { ...seller.ctx, ...world.services, clock: { now: () => now }, actor }
})
afterAll(() => world.services.close())

const bytesOf = async (file: { content: AsyncIterable<Uint8Array> }) =>
  Buffer.concat(await Array.fromAsync(file.content))

async function made(kind: ReportKind, format: 'PDF' | 'CSV' | 'XLSX', brandingProfileId: number | null = null) {
  const { id } = await requestReport(ctx, { kind, format, ...days, brandingProfileId })
  await makeReport.run(ctx, { merchantId: seller.merchantId, reportId: id }, run)
  return { id, report: await getReport(ctx, id) }
}
async function rowsOf(kind: ReportKind): Promise<Record<string, string>[]> {
  const { id, report } = await made(kind, 'CSV')
  expect(report).toMatchObject({ status: 'READY', progress: 100, problem: null })
  const bytes = await bytesOf(await downloadReport(ctx, id))
  expect(bytes.byteLength).toBe(report.sizeBytes)
  return parse(bytes, { columns: true, bom: true })
}
const cents = (rows: Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0)

// An unknown figure is an empty cell, never 0.
const numberOf = (cell: string | undefined): number | null => (cell ? Number(cell) : null)

test('the figures of every table are those of the screens, to the cent', async () => {
  const cards = (await getCards(ctx, days)).cards
  const card = (name: string) => Math.round((cards.find(one => one.metric === name)?.value ?? Number.NaN) * 100)
  const account = await rowsOf('ACCOUNT')
  expect(account).toHaveLength(20)
  expect(cents(account, 'Ad spend (USD)')).toBe(card('spend'))
  expect(cents(account, 'Ad sales (USD)')).toBe(card('sales'))
  expect(card('spend')).toBeGreaterThan(0)
  const request = { ...days, sortBy: 'cost', sortDir: 'desc', page: 0, size: 200 } as const
  const campaigns = await listFigures(ctx, request, campaignsListing({ state: 'ALL' }, now))
  const inFile = await rowsOf('CAMPAIGNS')
  expect(inFile.map(row => [row['Campaign name'], Number(row['Ad spend (USD)']), Number(row['Orders'])])).toEqual(
    campaigns.content.map(row => [row.name, row.cost, row.orders]),
  )
  expect(cents(inFile, 'Ad spend (USD)')).toBe(card('spend'))
  const products = await listAsins(ctx, request)
  expect(
    (await rowsOf('ASIN')).map(row => [row['ASIN'], numberOf(row['Ad spend (USD)']), numberOf(row['Units sold'])]),
  ).toEqual(products.content.map(row => [row.asin, row.cost, row.totalUnits]))
  const terms = await listSearchTerms(ctx, { ...request, size: 200 })
  const termRows = await rowsOf('SEARCH_TERMS')
  expect(termRows).toHaveLength(terms.page.totalElements)
  expect(cents(termRows, 'Ad spend (USD)')).toBe(Math.round(terms.totals.cost * 100))
  expect(cents(await rowsOf('KEYWORDS'), 'Ad spend (USD)')).toBeGreaterThan(0)
})

test('the PDF is tagged, with embedded fonts, alternatives of its charts and nothing raster but the logo', async () => {
  const look = await createProfile(ctx, {
    name: 'Harbor',
    primaryColor: '#123abc',
    accentColor: '#b45309',
    footer: 'Harbor · ブレーメン',
  })
  const logo = await sharp({ create: { width: 400, height: 200, channels: 4, background: '#08f8' } })
    .png()
    .toBuffer()
  await uploadLogo(ctx, look.id, logo)
  const plain = readPdf(await bytesOf(await downloadReport(ctx, (await made('ACCOUNT', 'PDF')).id)))
  const { id, report } = await made('ACCOUNT', 'PDF', look.id)
  const bytes = await bytesOf(await downloadReport(ctx, id))
  const pdf = readPdf(bytes)
  expect(report).toMatchObject({
    status: 'READY',
    fileName: `tideline-account-us-${days.dateFrom}-to-${days.dateTo}.pdf`,
  })
  expect(pdf).toMatchObject({ lang: 'en', isMarked: true, isTitleShown: true, author: 'Harbor' })
  expect(pdf.title).toContain('Account performance of')
  expect(pdf.fonts.length).toBeGreaterThan(1)
  expect(pdf.fonts.every(font => font.isEmbedded)).toBe(true)
  // Japanese from a font of its own.
  expect(pdf.fonts.some(font => /JP/.test(font.name))).toBe(true)
  expect(plain.images).toBe(0)
  expect(pdf.images).toBeGreaterThan(0)
  const { types, alternatives, untagged } = pdf.structure
  for (const type of ['Document', 'H1', 'H2', 'P', 'Figure', 'Table', 'TR', 'TH', 'TD']) expect(types).toContain(type)
  expect(types.filter(type => type === 'Table')).toHaveLength(4)
  expect(types.filter(type => type === 'H2')).toHaveLength(7)
  expect(alternatives).toHaveLength(types.filter(type => type === 'Figure').length)
  expect(alternatives.some(text => /Logo of Harbor/.test(text))).toBe(true)
  expect(alternatives.some(text => /Ad spend was \$[\d,]+\.\d\d in all and highest on/.test(text))).toBe(true)
  // All that is drawn is either read aloud or marked as decoration.
  expect(untagged).toEqual([])
  expect(bytes.byteLength).toBeLessThan(600_000)
})

test('a signed link opens its file without a session, for ten minutes, unchanged, until it is deleted', async () => {
  const { id } = await made('CAMPAIGNS', 'CSV')
  const other = await made('ACCOUNT', 'CSV')
  const link = new URL((await signedLink(ctx, id)).url)
  const open = async (reportId: number, changes: Record<string, string> = {}) => {
    const query = { ...Object.fromEntries(link.searchParams), ...changes } as Record<string, string>
    const file = await fileOfLink(ctx, {
      params: { id: reportId },
      query: { merchant: Number(query.merchant), expires: Number(query.expires), signature: String(query.signature) },
    })
    return (await bytesOf(file)).toString()
  }
  expect(await open(id)).toBe((await bytesOf(await downloadReport(ctx, id))).toString())
  const invalid = { code: 'FORBIDDEN', message: expect.stringContaining('not valid') }
  await expect(open(other.id)).rejects.toMatchObject(invalid)
  await expect(open(999_999)).rejects.toMatchObject(invalid)
  await expect(open(id, { expires: String(Number(link.searchParams.get('expires')) + 60) })).rejects.toMatchObject(
    invalid,
  )
  await expect(open(id, { merchant: '999' })).rejects.toMatchObject(invalid)
  await expect(open(id, { signature: 'x'.repeat(43) })).rejects.toMatchObject(invalid)
  const before = now
  now = new Date(before.getTime() + 10 * 60_000)
  await expect(open(id)).rejects.toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('expired') })
  now = before
  await removeReport(ctx, id)
  await expect(open(id)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'This report was deleted.' })
  await expect(getReport(ctx, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await restoreReport(ctx, id)).toMatchObject({ id, status: 'READY' })
  expect(await open(id)).not.toBe('')
})

test('a failed report says why, is announced and can be made again; another merchant finds nothing', async () => {
  const { id } = await requestReport(ctx, { kind: 'ACCOUNT', format: 'CSV', ...days, brandingProfileId: null })
  const key = { merchantId: seller.merchantId, reportId: id }
  await expect(retryReport(ctx, id)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
  await makeReport.onFinalFailure?.(ctx, key, new Error('the disk is full'))
  expect(await getReport(ctx, id)).toMatchObject({ status: 'FAILED', problem: expect.stringContaining('on our side') })
  const titles = await ctx.db.system
    .selectFrom('notification')
    .select(['title', 'kind'])
    .where('cause', '=', `report-${id}`)
    .execute()
  expect(titles).toEqual([{ title: 'A report could not be made', kind: 'REPORT_READY' }])
  await expect(downloadReport(ctx, id)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
  expect(await retryReport(ctx, id)).toMatchObject({ status: 'QUEUED', problem: null })
  await makeReport.run(ctx, key, run)
  expect(await getReport(ctx, id)).toMatchObject({ status: 'READY' })
  const found = await listReports(ctx, { page: 0, size: 20, query: 'account performance' })
  expect(found.content.every(one => one.kind === 'ACCOUNT')).toBe(true)
  expect(found.page.totalElements).toBeGreaterThan(1)
  const stranger = { ...ctx, actor: { ...ctx.actor, accountId: 999_999, merchantId: 999_999, merchantIds: [999_999] } }
  for (const ask of [getReport, removeReport, restoreReport, retryReport, downloadReport, signedLink, removeSchedule])
    await expect(ask(stranger, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await listReports(stranger, { page: 0, size: 20 })).content).toEqual([])
})

test('a report that is due is made as soon as the figures of the period’s last day are in, the whole day', async () => {
  const schedule = { frequency: 'MONTHLY' } as const
  const question = { kind: 'ACCOUNT', format: 'CSV', ...days, brandingProfileId: null, schedule } as const
  const { scheduleId } = await requestReport(ctx, question)
  const { nextAt, nextTo = '' } = (await listSchedules(ctx)).content.find(one => one.id === scheduleId) ?? {}
  const { system } = ctx.db
  const imported = (asOf: Date) =>
    system.updateTable('metrics_state').set({ daily_to: nextTo, daily_as_of: asOf }).execute()
  const makesOne = async (): Promise<boolean> => {
    await makeDueReports.run(ctx, {}, run)
    return (await listReports(ctx, { page: 0, size: 200 })).content.some(report => report.scheduleId === scheduleId)
  }
  const state = await system.selectFrom('metrics_state').selectAll().execute()
  const before = now
  now = new Date(Date.parse(nextAt ?? '') + 60_000)
  const dayEnd = Date.parse(nextAt ?? '') - 7 * 3_600_000
  await imported(new Date(dayEnd - 3_600_000))
  expect(await makesOne()).toBe(false)
  await imported(new Date(dayEnd + 3_600_000))
  expect(await makesOne()).toBe(true)
  for (const { merchant_id, profile_id, daily_to, daily_as_of } of state)
    await system
      .updateTable('metrics_state')
      .set({ daily_to, daily_as_of })
      .where('merchant_id', '=', merchant_id)
      .where('profile_id', '=', profile_id)
      .execute()
  await removeSchedule(ctx, scheduleId ?? 0)
  now = before
})

test('a schedule makes one report of each period and mails it, however often its job runs; paused it makes none', async () => {
  const schedule = { frequency: 'WEEKLY' } as const
  const { scheduleId } = await requestReport(ctx, {
    kind: 'ACCOUNT',
    format: 'PDF',
    ...days,
    brandingProfileId: null,
    schedule,
  })
  const id = scheduleId ?? 0
  const next = (await listSchedules(ctx)).content.find(one => one.id === id)
  expect(next).toMatchObject({ id, isPaused: false, frequency: 'WEEKLY' })
  const before = now
  const ofSchedule = async () =>
    (await listReports(ctx, { page: 0, size: 200 })).content.filter(report => report.scheduleId === id)
  await makeDueReports.run(ctx, {}, run)
  expect(await ofSchedule()).toEqual([])
  // The figures of its last day are not in yet: it waits a day for them.
  now = new Date(Date.parse(next?.nextAt ?? '') + 60_000)
  await makeDueReports.run(ctx, {}, run)
  expect(await ofSchedule()).toEqual([])
  now = new Date(now.getTime() + 25 * 3_600_000)
  await Promise.all([1, 2, 3].map(() => makeDueReports.run(ctx, {}, run)))
  const reports = await ofSchedule()
  expect(reports).toMatchObject([{ dateFrom: next?.nextFrom, dateTo: next?.nextTo, status: 'QUEUED' }])
  const key = { merchantId: seller.merchantId, reportId: reports[0]?.id ?? 0 }
  // A process that was killed leaves a run that can no longer finish the report.
  await ctx.db.system
    .updateTable('performance_report')
    .set({ status: 'RUNNING', run_id: randomUUID() })
    .where('id', '=', key.reportId)
    .execute()
  await makeReport.run(ctx, key, run)
  await makeReport.run(ctx, key, run)
  const { rows: mails } = await sql<{ subject: string; text: string; attachment: Buffer; attachment_name: string }>`
    select * from mail_outbox where dedupe_key = ${`report:${key.merchantId}:${key.reportId}`}`.execute(ctx.db.system)
  expect(mails).toHaveLength(1)
  expect(Buffer.from(mails[0]?.attachment ?? '').toString('latin1', 0, 5)).toBe('%PDF-')
  expect(mails[0]?.attachment_name).toMatch(/\.pdf$/)
  expect(mails[0]?.text).toContain(`/performance-reports?report=${key.reportId}`)
  await pauseSchedule(ctx, id, true)
  now = new Date(now.getTime() + 15 * 86_400_000)
  await makeDueReports.run(ctx, {}, run)
  expect(await ofSchedule()).toHaveLength(1)
  const resumed = await pauseSchedule(ctx, id, false)
  expect(Date.parse(resumed.nextAt)).toBeGreaterThan(now.getTime())
  // Without a subscription nothing is made, and nothing is made up for.
  const { system } = ctx.db
  await system.updateTable('subscription').set({ status: 'canceled', canceled_at: before }).execute()
  now = new Date(Date.parse(resumed.nextAt) + 25 * 3_600_000)
  await makeDueReports.run(ctx, {}, run)
  expect(await ofSchedule()).toHaveLength(1)
  const [later] = (await listSchedules(ctx)).content
  expect(Date.parse(later?.nextAt ?? '')).toBeGreaterThan(now.getTime())
  expect(await removeSchedule(ctx, id)).toBeNull()
  expect(await ofSchedule()).toHaveLength(1)
  now = before
})
