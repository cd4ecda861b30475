import { readFileSync } from 'node:fs'

/**
 * What a parameter may be: a scalar (`string`, `number`, `boolean`, `decimal`, `null`, `any`), a shape (`#Name`), a list
 * (`[item]`), one of some words (`{"=": [...]}`), one of several (`{"|": [...]}`), or an object whose names end with `!`
 * where they are required; `*` stands for all other names.
 */
export type WireNode = string | [WireNode] | { '=': string[] } | { '|': WireNode[] } | { [name: string]: WireNode }

interface Wire {
  calls: Record<string, WireNode>
  shapes: Record<string, Record<string, WireNode>>
  blanks: Record<string, object>
}

/** What the types of the official client say of the API; generated, a test compares it with them. */
export const wire = JSON.parse(readFileSync(new URL('wire.json', import.meta.url), 'utf8')) as Wire

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merge(base: Fields, over: Fields): Fields {
  const merged = { ...base }
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined) continue
    const below = merged[name]
    merged[name] = isFields(below) && isFields(value) ? merge(below, value) : value
  }
  return merged
}

/** An object of this kind with these fields; the others are as when nothing was ever said of them. */
export const fillBlank = (kind: string, fields: object): Fields =>
  merge(structuredClone(wire.blanks[kind] ?? {}) as Fields, fields as Fields)
