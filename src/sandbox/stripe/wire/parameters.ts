import { invalid } from '../stripe-error.ts'
import { wire, type WireNode } from './wire.ts'

type Raw = string | Raw[] | { [name: string]: Raw }
const isRecord = (value: unknown): value is Record<string, Raw> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parameters as a form or query nests them (`items[0][price]=…`, `expand[]=…`); all values are text. */
export function decodeForm(text: string): Record<string, Raw> {
  const root: Record<string, Raw> = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = key.replaceAll(']', '').split('[')
    const path = [first, ...rest]
    let place: Record<string, Raw> = root
    path.forEach((name, i) => {
      const at = name === '' ? String(Object.keys(place).length) : name
      if (i === path.length - 1) place[at] = value
      else {
        const inner = place[at]
        place = place[at] = isRecord(inner) ? inner : Object.create(null)
      }
    })
  }
  return root
}

const inside = (path: string, name: string): string => (path === '' ? name : `${path}[${name}]`)
const wordsOf = (node: object): string[] | null => ('=' in node ? (node['='] as string[]) : null)
const alternativesOf = (node: object): WireNode[] | null => ('|' in node ? (node['|'] as WireNode[]) : null)
const isText = (value: Raw): value is string => typeof value === 'string'

function listOf(value: Raw, path: string): Raw[] {
  if (Array.isArray(value)) return value
  if (!isRecord(value) || Object.keys(value).some(key => !/^\d+$/.test(key)))
    throw invalid(`Invalid array`, { param: path })
  return Object.keys(value)
    .sort((a, b) => Number(a) - Number(b))
    .map(key => value[key] as Raw)
}

function scalar(kind: string, value: string, path: string): unknown {
  if (kind === 'boolean') {
    if (value === 'true' || value === 'false') return value === 'true'
    throw invalid(`Invalid boolean: ${value}`, { code: 'parameter_invalid_boolean', param: path })
  }
  if (kind === 'number') {
    const isWhole = /^-?\d+$/.test(value)
    if (isWhole || (/percent|rate/.test(path) && /^-?\d+\.\d+$/.test(value))) return Number(value)
    throw invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: path })
  }
  if (kind === 'decimal' && !/^-?\d+(\.\d{1,12})?$/.test(value))
    throw invalid(`Invalid decimal: ${value}`, { param: path })
  return value
}

/** Whether the value has the form of this alternative, so that its problems are the ones to report. */
function fits(node: WireNode, value: Raw): boolean {
  if (typeof node === 'string') {
    if (node.startsWith('#')) return fits(wire.shapes[node.slice(1)] ?? {}, value)
    if (!isText(value)) return false
    if (node === 'null') return value === ''
    if (node === 'number') return /^-?\d+$/.test(value)
    return value !== ''
  }
  if (Array.isArray(node)) return !isText(value)
  const words = wordsOf(node)
  if (words) return isText(value) && words.includes(value)
  return alternativesOf(node)?.some(one => fits(one, value)) ?? isRecord(value)
}

function readWord(words: readonly string[], value: Raw, path: string): string {
  if (isText(value) && words.includes(value)) return value
  const named = words.filter(word => word !== '')
  const list = named.length === 1 ? named[0] : `${named.slice(0, -1).join(', ')}, or ${named.at(-1)}`
  throw invalid(`Invalid ${path}: must be ${named.length === 1 ? '' : 'one of '}${list}`, { param: path })
}

function convert(node: WireNode, value: Raw, path: string): unknown {
  if (typeof node === 'string') {
    if (node.startsWith('#')) return convert(wire.shapes[node.slice(1)] ?? {}, value, path)
    if (node === 'any') return value
    if (!isText(value)) throw invalid(`Invalid string: ${JSON.stringify(value)}`, { param: path })
    if (node === 'null' || node === 'string') return node === 'string' && value === '' ? emptied(path) : value
    return value === '' ? emptied(path) : scalar(node, value, path)
  }
  if (Array.isArray(node)) return listOf(value, path).map((one, i) => convert(node[0], one, inside(path, String(i))))
  const words = wordsOf(node)
  if (words) return readWord(words, value, path)
  const alternatives = alternativesOf(node)
  // What fits none of them is reported as the last one: the widest.
  if (alternatives) {
    const chosen = alternatives.find(one => fits(one, value)) ?? alternatives.at(-1)
    return convert(chosen ?? 'string', value, path)
  }
  if (!isRecord(value)) throw invalid('Invalid object', { param: path })
  return convertObject(node as Record<string, WireNode>, value, path)
}

function emptied(path: string): never {
  throw invalid(
    `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however '${path}' cannot be unset. You should remove '${path}' from your request or supply a non-empty value.`,
    { code: 'parameter_invalid_empty', param: path },
  )
}

function convertObject(shape: Record<string, WireNode>, value: Record<string, Raw>, path: string) {
  const result: Record<string, unknown> = {}
  const unknown = Object.keys(value).filter(name => !(name in shape || `${name}!` in shape || '*' in shape))
  if (unknown.length > 0) {
    const names = unknown.map(name => inside(path, name))
    const [param = ''] = names
    throw invalid(`Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`, {
      code: 'parameter_unknown',
      param,
    })
  }
  for (const [key, node] of Object.entries(shape)) {
    const name = key.replace(/!$/, '')
    const at = inside(path, name)
    if (key === '*') continue
    if (value[name] !== undefined) result[name] = convert(node, value[name], at)
    else if (key.endsWith('!'))
      throw invalid(`Missing required param: ${at}.`, { code: 'parameter_missing', param: at })
  }
  const rest = shape['*']
  // The values of a map, such as metadata, may be empty: that removes the entry.
  for (const [name, one] of rest ? Object.entries(value) : [])
    if (!(name in result)) result[name] = one === '' ? '' : convert(rest as WireNode, one, inside(path, name))
  return result
}

/** The parameters of a call with the types that the API gives them. Throws the API's own error for those that it does not take. */
export function readParameters(call: string, values: Record<string, Raw>): Record<string, unknown> {
  const node = wire.calls[call] ?? {}
  return convert(node, values, '') as Record<string, unknown>
}
