import * as v from 'valibot'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'

const parts = ['params', 'query', 'body'] as const

const ODD_TEXT = 'A text has a character that cannot be kept'

// The database takes neither U+0000 nor half a surrogate pair, which JSON can carry: told as the caller's fault, not ours.
const oddTexts = (value: unknown, path: string): string[] => {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => [
    ...oddTexts(name, path),
    ...oddTexts(one, path ? `${path}.${name}` : name),
  ])
}

/** Parses what the endpoint declares. Throws VALIDATION_FAILED with one detail a field, in the schema's own words. */
export const parseInput = (endpoint: Endpoint, raw: Record<(typeof parts)[number], unknown>) => {
  const input: Partial<Record<(typeof parts)[number], unknown>> = {}
  const issues: { field: string; message: string }[] = []
  for (const part of parts) {
    const schema = endpoint[part]
    if (!schema) continue
    const result = v.safeParse(schema, raw[part] ?? (part === 'body' ? undefined : {}))
    if (result.success) input[part] = result.output
    else issues.push(...result.issues.map(issue => ({ field: v.getDotPath(issue) ?? part, message: issue.message })))
    issues.push(...oddTexts(raw[part], '').map(field => ({ field: field || part, message: ODD_TEXT })))
  }
  if (!issues.length) return input
  const first = issues.filter((issue, i) => issues.findIndex(other => other.field === issue.field) === i)
  throw new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
    details: first.map(issue => issue.message),
    extra: { fields: Object.fromEntries(first.map(issue => [issue.field, issue.message])) },
  })
}

/** Throws INTERNAL when an answer does not fit its own schema: a defect of ours, found before the client finds it. */
export const checkAnswer = (endpoint: Endpoint, answer: unknown) => {
  const result = v.safeParse(endpoint.response, answer)
  if (result.success) return
  const where = result.issues.map(issue => `${v.getDotPath(issue) ?? '.'}: ${issue.message}`).join('; ')
  throw new Error(`${endpoint.method} ${endpoint.path} answers what its contract does not allow: ${where}`)
}
