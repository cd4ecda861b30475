import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Ctx, type PublicCtx, requireMerchant, type Services } from '#server/context.ts'
import { readSecrets } from '#server/config/secrets.ts'
import type { EndpointParsed, FileAnswer } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { linkMinutes, type reportEndpoints } from '../contract.ts'

const partBytes = 256 * 1024

/** What identifies the file of a report: a report that is made again has another one. */
interface FileKey {
  merchantId: number
  reportId: number
  runId: string
}

/** Saves a file in parts while it is made. Returns its size in bytes. */
export async function saveFile(
  { db }: Pick<Services, 'db'>,
  { merchantId, reportId, runId }: FileKey,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  let pending: Uint8Array[] = []
  let [pendingBytes, part, size] = [0, 0, 0]
  const flush = async () => {
    const bytes = Buffer.concat(pending)
    await db.system
      .insertInto('performance_report_part')
      .values({ merchant_id: merchantId, report_id: reportId, run_id: runId, part: part++, bytes })
      .execute()
    ;[pending, pendingBytes] = [[], 0]
  }
  for await (const chunk of content) {
    pending.push(chunk)
    pendingBytes += chunk.byteLength
    size += chunk.byteLength
    if (pendingBytes >= partBytes) await flush()
  }
  if (pendingBytes) await flush()
  return size
}

/** The bytes of a file, a part at a time. */
export async function* readFile(
  { db }: Pick<Services, 'db'>,
  { merchantId, reportId, runId }: FileKey,
): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part++) {
    const row = await db.reading(merchantId, tx =>
      tx
        .selectFrom('performance_report_part')
        .select('bytes')
        .where('merchant_id', '=', merchantId)
        .where('report_id', '=', reportId)
        .where('run_id', '=', runId)
        .where('part', '=', part)
        .executeTakeFirst(),
    )
    if (!row) return
    yield row.bytes
  }
}

// Of one of the merchant's own reports, or of one that this campaign manager requested.
async function fileRow(ctx: Services, merchantId: number, reportId: number, managerId: number | null = null) {
  const row = await ctx.db.reading(merchantId, tx =>
    tx
      .selectFrom('performance_report')
      .select(['status', 'run_id as runId', 'file_name as name', 'media_type as mediaType', 'deleted_at as deletedAt'])
      .where('merchant_id', '=', merchantId)
      .where('id', '=', reportId)
      .where('manager_id', 'is not distinct from', managerId)
      .executeTakeFirst(),
  )
  return row && { ...row, key: { merchantId, reportId, runId: row.runId ?? '' } }
}
type FileRow = Awaited<ReturnType<typeof fileRow>>

/** The file of a report that has one. Throws NOT_FOUND once it is deleted, RULE_VIOLATED while there is none. */
function ready(row: FileRow) {
  if (!row) throw new AppError('NOT_FOUND', 'There is no such report.')
  const { status, key, name, mediaType } = row
  if (row.deletedAt) throw new AppError('NOT_FOUND', 'This report was deleted.')
  if (status === 'FAILED') throw new AppError('RULE_VIOLATED', 'This report could not be made. Try it again.')
  if (status !== 'READY' || !name || !mediaType) throw new AppError('RULE_VIOLATED', 'This report is still being made.')
  return { key, name, mediaType }
}

const answerOf = (ctx: Services, { key, name, mediaType }: ReturnType<typeof ready>): FileAnswer => ({
  name,
  mediaType,
  content: readFile(ctx, key),
})

/** The file of one of the current merchant's reports. Throws RULE_VIOLATED while there is none. */
export const downloadReport = async (ctx: Ctx, reportId: number): Promise<FileAnswer> =>
  answerOf(ctx, ready(await fileRow(ctx, requireMerchant(ctx), reportId)))

/** The file of a report that a campaign manager requested. Throws like downloadReport. */
export const downloadOfManager = async (ctx: Services, report: { merchantId: number; id: number; managerId: number }) =>
  answerOf(ctx, ready(await fileRow(ctx, report.merchantId, report.id, report.managerId)))

/** A link to the file that needs no session. It holds for this file alone: not for one that is made later. */
export async function signedLink(ctx: Ctx, reportId: number): Promise<{ url: string; expiresAt: string }> {
  const { key } = ready(await fileRow(ctx, requireMerchant(ctx), reportId))
  // Whole seconds, as the link says it.
  const expires = Math.floor(ctx.clock.now().getTime() / 1000) + linkMinutes * 60
  const url = new URL(`/api/performance-reports/${reportId}/file`, ctx.config.publicUrl)
  const query = { merchant: key.merchantId, expires, signature: signatureOf(ctx, key, expires) }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  return { url: url.href, expiresAt: new Date(expires * 1000).toISOString() }
}

function signatureOf({ config }: Services, { merchantId, reportId, runId }: FileKey, expires: number): string {
  // A key of its own, so that no other signature of the server is one of a link.
  const key = createHmac('sha256', readSecrets(config).tokenSecret).update('performance-report-link').digest()
  return createHmac('sha256', key).update(`${merchantId}/${reportId}/${runId}/${expires}`).digest('base64url')
}

/** The file behind a signed link. Throws FORBIDDEN for one that was changed or has expired, NOT_FOUND once it is deleted. */
export async function fileOfLink(
  ctx: PublicCtx,
  { params, query }: EndpointParsed<typeof reportEndpoints.file>,
): Promise<FileAnswer> {
  const invalid = () => new AppError('FORBIDDEN', 'This link is not valid. Open the report in Tideline for a new one.')
  const row = await fileRow(ctx, query.merchant, params.id)
  // The same answer where there is no such report: nobody learns by guessed links which there are.
  const expected = row && Buffer.from(signatureOf(ctx, row.key, query.expires))
  if (!expected || !timingSafeEqual(expected, Buffer.from(query.signature))) throw invalid()
  if (query.expires * 1000 <= ctx.clock.now().getTime())
    throw new AppError('FORBIDDEN', 'This link has expired. Open the report in Tideline for a new one.')
  return answerOf(ctx, ready(row))
}
