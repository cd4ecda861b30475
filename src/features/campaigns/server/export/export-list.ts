import { sql } from 'kysely'
import type { FileAnswer } from '#shared/define-endpoint.ts'
import type { ExportFormat } from '#shared/export-file.ts'
import type { Field } from '#shared/fields.ts'
import { type MetricName, metricNames, metrics, toFigures } from '#shared/metrics.ts'
import { targetText } from '#shared/target-text.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { entities, type EntityName } from '#features/structure/contract.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type Cell, type FileColumn, fileColumn, fileName, readInParts, tableFile } from '#server/http/table-file.ts'
import { rangeOf } from '../list/list-figures.ts'
import { type NegativesQuery, readNegatives, readNegativeIds } from '../list/list-negatives.ts'
import { type Listing, readOrderedIds } from '../sql/listing.ts'
import { type PageOptions, readPage } from '../sql/read-page.ts'

interface Exported {
  format: ExportFormat
  columns?: string[] | undefined
}
type Ranged = Omit<PageOptions, 'from' | 'to' | 'page' | 'size'> & {
  dateFrom?: string | undefined
  dateTo?: string | undefined
}
type Row = Record<string, unknown>

/**
 * All rows of a listing with their figures, as a file. The order is fixed at the start and the rows are read a thousand at
 * a time, each in a transaction of its own: a slow download blocks nobody, and a row that goes away meanwhile is left out.
 */
export async function exportFigures(
  ctx: Ctx,
  what: string,
  request: Exported & Ranged,
  listing: Listing,
): Promise<FileAnswer> {
  const { sortBy, sortDir } = request
  const { profile, range, ids } = await readAccount(ctx, async (tx, account) => {
    const days = rangeOf(ctx, account, request)
    return {
      profile: account,
      range: days,
      ids: await readOrderedIds(tx, account, listing, { ...days, sortBy, sortDir }),
    }
  })
  const read = async (tx: Db, some: number[]): Promise<Row[]> => {
    const one = { entity: listing.entity, filters: [sql`t.id = any(${some}::bigint[])`], conditions: [], few: true }
    const { rows } = await readPage(tx, profile, one, { ...range, page: 0, size: some.length, sortBy: 'id', sortDir })
    return rows.map(row => ({ ...row, ...toFigures(row) }))
  }
  return listFile(ctx, profile, { what, days: range, ids, read, ...request, entity: listing.entity, hasFigures: true })
}

/** The account's negatives as a file, like the other lists. */
export async function exportNegatives(ctx: Ctx, query: Exported & NegativesQuery): Promise<FileAnswer> {
  const { profile, ids } = await readAccount(ctx, async (tx, account) => ({
    profile: account,
    ids: await readNegativeIds(tx, account, query),
  }))
  const read = (tx: Db, some: number[]): Promise<Row[]> => readNegatives(tx, profile, some)
  return listFile(ctx, profile, { what: 'negatives', ids, read, ...query, entity: 'negative', hasFigures: false })
}

interface ListFile extends Exported {
  /** Names the file and the sheet: "campaigns". */
  what: string
  days?: { from: string; to: string }
  ids: number[]
  /** Rows of these ids in any order. */
  read: (tx: Db, ids: number[]) => Promise<Row[]>
  entity: EntityName
  hasFigures: boolean
}

function listFile(ctx: Ctx, profile: Profile, file: ListFile): FileAnswer {
  const { what, days, format, entity, hasFigures } = file
  const fields: Readonly<Record<string, Field>> = entities[entity].fields
  const usual = [
    ...Object.keys(fields).filter(name => !fields[name]?.isHidden && fields[name]?.kind !== 'id'),
    ...(hasFigures ? metricNames : []),
  ]
  const columns = file.columns?.length ? file.columns : usual
  async function* rows(): AsyncGenerator<Cell[]> {
    const read = (ids: number[]) => ctx.db.reading(profile.merchantId, tx => file.read(tx, ids))
    for await (const row of readInParts(file.ids, ({ id }) => id, read))
      yield columns.map(name => cellOf(name === 'text' ? textOf(row) : row[name]))
  }
  return tableFile({
    name: fileName(what, profile, days),
    format,
    sheet: what,
    columns: columns.map(name => columnOf(name, fields[name], profile.currency)),
    rows: rows(),
  })
}

function columnOf(name: string, field: Field | undefined, currency: string): FileColumn {
  if (!field) {
    const { label, unit } = metrics[name as MetricName]
    return fileColumn(label, unit, currency)
  }
  const { kind } = field
  return {
    ...fileColumn(field.label, kind === 'money' || kind === 'percent' ? kind : 'text', currency),
    ...(kind === 'text' && { width: 40 }),
  }
}

// A target as people read it.
const textOf = ({ kind, text }: Row): string => targetText({ kind: String(kind), text: String(text) })

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(listed).join(', ')
  return JSON.stringify(value)
}

// A placement with its percentage, for instance.
const listed = (one: unknown): string =>
  typeof one === 'object' && one !== null ? Object.values(one).join(' ') : String(one)
