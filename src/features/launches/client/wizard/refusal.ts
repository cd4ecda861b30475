import { type FieldProblem, problemAt } from '../../draft/rules.ts'
import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'

const told = v.object({ fields: v.optional(v.record(v.string(), v.string())), field: v.optional(v.string()) })

/** The fields that the server found at fault, in the order of the steps; empty when it named none. */
export function faultsOfRefusal(error: unknown): FieldProblem[] {
  if (!(error instanceof ApiError)) return []
  const parsed = v.safeParse(told, error.extra)
  const extra = parsed.success ? parsed.output : {}
  return Object.entries(extra.fields ?? (extra.field ? { [extra.field]: error.message } : {}))
    .map(([field, message]) => problemAt(field, message))
    .sort((a, b) => a.step - b.step)
}

/** What was said of a field or of anything in it (`negativeKeywords.3.keyword`). */
export function faultWithin(faults: Record<string, string>, field: string): string | undefined {
  return Object.entries(faults).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1]
}
