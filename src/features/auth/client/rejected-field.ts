import * as v from 'valibot'
import type { ApiError } from '#client/api/api-error.ts'

const messagesByField = v.fallback(v.record(v.string(), v.string()), {})

/** The field that a detail of a validation error belongs to; undefined if the server named none. */
export function rejectedField<K extends string>(names: readonly K[]) {
  return (detail: string, { extra }: ApiError): K | undefined => {
    const messages = v.parse(messagesByField, extra.fields)
    return names.find(name => messages[name] === detail)
  }
}
