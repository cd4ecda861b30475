import type { LogRow } from '../../contract.ts'

/** What the list on a phone is made of: the heading of a day, or decisions that are done and undone together. */
export type LogItem = { key: string; day: string } | { key: string; rows: readonly [LogRow, ...LogRow[]] }

/** Rows, the latest first, under the days that they were decided for; those of one decision together, in their own order. */
export function logItems(rows: readonly LogRow[]): LogItem[] {
  const items: LogItem[] = []
  let day: string | null = null
  let joined: [LogRow, ...LogRow[]] | null = null
  for (const row of rows) {
    if (row.day !== day) {
      day = row.day
      joined = null
      items.push({ key: `day ${day} ${row.id}`, day })
    }
    const [first] = joined ?? []
    if (joined && first?.groupId === row.groupId && first.decisionGroup === row.decisionGroup) joined.unshift(row)
    else {
      joined = [row]
      items.push({ key: `row ${row.id}`, rows: joined })
    }
  }
  return items
}
