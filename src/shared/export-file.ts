import * as v from 'valibot'

/** The formats in which a table is exported, by the extension of the file. */
export const exportFormats = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
export type ExportFormat = keyof typeof exportFormats

const format = v.picklist(Object.keys(exportFormats) as ExportFormat[], 'Must be csv or xlsx')

/** What every export takes besides the filters of its screen: the format, and columns by name, in order, comma-separated. */
export const exportQuery = (columns: readonly string[]) => ({
  format,
  /** Every column when absent. */
  columns: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(1000, 'Too many columns'),
      v.transform(text => text.split(',').filter(Boolean)),
      v.array(v.picklist(columns, 'Must be a comma-separated list of columns')),
    ),
  ),
})

/** What the endpoints of exported tables have in common. */
export const exportEndpoint = {
  method: 'GET',
  access: 'subscription',
  response: v.unknown(),
  file: Object.values(exportFormats),
} as const
