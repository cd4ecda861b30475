import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import { type FieldProblem, problemAt } from '../../draft/rules.ts'

const extraSchema = v.object({ fields: v.optional(v.record(v.string(), v.string())), field: v.optional(v.string()) })

/** The problems for which the server rejected a launch, in the order of the steps; empty when it named no field. */
export function problemsOfRejection(error: unknown): FieldProblem[] {
  if (!(error instanceof ApiError)) return []
  const parsed = v.safeParse(extraSchema, error.extra)
  const { fields, field } = parsed.success ? parsed.output : {}
  return Object.entries(fields ?? (field ? { [field]: error.message } : {}))
    .map(([name, message]) => problemAt(name, message))
    .sort((a, b) => a.step - b.step)
}

/** The message for a field, or for anything within it (`negativeKeywords.3.keyword`). */
export function messageWithin(messages: Record<string, string>, field: string): string | undefined {
  return Object.entries(messages).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1]
}
