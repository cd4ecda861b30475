import * as v from 'valibot'
import type { ApiError } from '#client/api/api-error.ts'

const fields = v.record(v.string(), v.string())

/** The field that a detail of a refusal belongs to, as the server named it; undefined when it named none. */
export function refusedField<K extends string>(names: readonly K[]) {
  return (detail: string, { extra }: ApiError): K | undefined => {
    const parsed = v.safeParse(fields, extra.fields)
    return parsed.success ? names.find(name => parsed.output[name] === detail) : undefined
  }
}
