import * as v from 'valibot'
import type { ApiError } from '#client/api/api-error.ts'

const fields = v.record(v.string(), v.string())

/** The field that a detail of a validation error belongs to; undefined if the server named none. */
export function rejectedField<K extends string>(names: readonly K[]) {
  return (detail: string, { extra }: ApiError): K | undefined => {
    const parsed = v.safeParse(fields, extra.fields)
    return parsed.success ? names.find(name => parsed.output[name] === detail) : undefined
  }
}
