import type { Endpoint, FileToSend } from '#shared/define-endpoint.ts'

export interface LooseInput {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  upload?: FileToSend
}

/** Path with its parameters filled in and the query appended. Absent query values are left out, lists repeat their key. */
export function buildUrl(endpoint: Pick<Endpoint, 'path'>, { params = {}, query = {} }: LooseInput): string {
  const path = endpoint.path.replace(/:([A-Za-z]\w*)/g, (_match, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '') throw new TypeError(`${endpoint.path} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(key, String(one))
  const text = search.toString()
  return `/api${path}${text ? `?${text}` : ''}`
}

/** A key with which a repeated call returns its first result. Random also on pages served without TLS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
