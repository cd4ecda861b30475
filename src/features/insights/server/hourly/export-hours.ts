import type { EndpointParsed, FileAnswer } from '#shared/define-endpoint.ts'
import { type MetricName, metricNames, metrics } from '#shared/metrics.ts'
import { currentProfile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { type Cell, fileColumn, fileName, tableFile } from '#server/http/table-file.ts'
import { type hourlyEndpoints as endpoints, weekdayNames } from '../../hourly-contract.ts'
import { readHeatmap } from './hours-of-week.ts'

/** The hours of the week as a file: a row for each, with the days and times that it counts and every metric. */
export async function exportHours(
  ctx: Ctx,
  { format, columns, ...query }: EndpointParsed<(typeof endpoints)['exported']>['query'],
): Promise<FileAnswer> {
  const profile = await currentProfile(ctx)
  const { cells, dateFrom, dateTo, timezone, currency } = await readHeatmap(ctx, query)
  const shown = (columns?.length ? columns : metricNames) as readonly MetricName[]
  async function* rows(): AsyncGenerator<Cell[]> {
    for (const cell of cells) {
      const { weekday, hour, days, times } = cell
      yield [weekdayNames[weekday - 1] ?? '', hour, days, times, ...shown.map(name => cell[name])]
    }
  }
  return tableFile({
    name: fileName('hourly trends', profile, { from: dateFrom, to: dateTo }),
    format,
    sheet: 'hourly trends',
    columns: [
      fileColumn('Day', 'text', currency),
      fileColumn(`Hour, ${timezone}`, 'count', currency),
      fileColumn('Days', 'count', currency),
      fileColumn('Times', 'count', currency),
      ...shown.map(name => fileColumn(metrics[name].label, metrics[name].unit, currency)),
    ],
    rows: rows(),
  })
}
