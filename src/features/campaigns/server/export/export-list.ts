import { sql } from 'kysely'
import type { FileAnswer } from '#shared/define-endpoint.ts'
import type { Field } from '#shared/fields.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { type MetricName, metricNames, metrics, toFigures } from '#shared/metrics.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { entities, type EntityName } from '#features/structure/contract.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type Cell, type FileColumn, tableFile } from '#server/http/table-file.ts'
import { type ExportFormat, exportFormats } from '../../export-contract.ts'
import { rangeOf } from '../list/list-figures.ts'
import { type NegativesQuery, readNegatives, readNegativeIds } from '../list/list-negatives.ts'
import { type Listing, type PageOptions, readOrderedIds, readPage } from '../sql/read-page.ts'

const rowsPerRead = 1000

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
    ...Object.keys(fields).filter(name => !fields[name]?.isInternal && fields[name]?.kind !== 'id'),
    ...(hasFigures ? metricNames : []),
  ]
  const columns = (file.columns?.length ? file.columns : usual).map(name => columnOf(name, fields, profile.currency))
  async function* rows(): AsyncGenerator<Cell[]> {
    for (let at = 0; at < file.ids.length; at += rowsPerRead) {
      const ids = file.ids.slice(at, at + rowsPerRead)
      const found = await ctx.db.reading(profile.merchantId, tx => file.read(tx, ids))
      const byId = new Map(found.map(row => [row.id, row]))
      for (const id of ids) {
        const row = byId.get(id)
        if (row) yield columns.map(({ name }) => cellOf(row[name]))
      }
    }
  }
  const country = marketplaceById(profile.marketplaceId)?.key ?? profile.currency
  const named = ['tideline', what, country, ...(days ? [days.from, 'to', days.to] : [])]
  const name = named.join('-').toLowerCase().replaceAll(' ', '-')
  return tableFile({ name, mediaType: exportFormats[format], format, sheet: what, columns, rows: rows() })
}

interface ExportColumn extends FileColumn {
  name: string
}

const formats = { money: '#,##0.00', percent: '0.00', ratio: '0.00', count: '#,##0' } as const

function columnOf(name: string, fields: Readonly<Record<string, Field>>, currency: string): ExportColumn {
  const field = fields[name]
  if (field) {
    const heading = headed(field.label, field.kind, currency)
    const isNumber = field.kind === 'money' || field.kind === 'percent'
    return {
      name,
      heading,
      ...(isNumber && { format: formats[field.kind as 'money'] }),
      ...(field.kind === 'text' && { width: 40 }),
    }
  }
  const { label, unit } = metrics[name as MetricName]
  return { name, heading: headed(label, unit, currency), format: formats[unit] }
}

function headed(label: string, unit: string, currency: string): string {
  if (unit === 'money') return `${label} (${currency})`
  return unit === 'percent' ? `${label} (%)` : label
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(listed).join(', ')
  return JSON.stringify(value)
}

// A placement with its percentage, for instance.
const listed = (one: unknown): string =>
  typeof one === 'object' && one !== null ? Object.values(one).join(' ') : String(one)
