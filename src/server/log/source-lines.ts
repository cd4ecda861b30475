import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'

const place = /((?:file:\/\/)?\/[^\s():]+\.js):(\d+):(\d+)/g
// The same few places fail again and again.
const origins = new LRUCache<string, string>({ max: 500 })

/**
 * A stack trace of built code with the lines of its sources, by the maps beside the files; of other code, unchanged. Node can
 * do it by itself, but holds every map in memory from the start (36 MB), and each map that it ever decoded.
 */
export function inSources(stack: string): string {
  return stack.replace(place, (built, at: string, line: string, column: string) => {
    const cached = origins.get(built)
    if (cached) return cached
    const file = at.startsWith('file:') ? fileURLToPath(at) : at
    const origin = originOf(`${file}.map`, Number(line), Number(column)) ?? built
    origins.set(built, origin)
    return origin
  })
}

interface BuiltMap {
  sources: string[]
  mappings: string
}

function originOf(mapFile: string, line: number, column: number): string | undefined {
  if (!existsSync(mapFile)) return undefined
  try {
    const { sources, mappings } = JSON.parse(readFileSync(mapFile, 'utf8')) as BuiltMap
    const found = find(mappings, line, column - 1)
    const source = found && sources[found.source]
    return source && `${relative(process.cwd(), resolve(mapFile, '..', source))}:${found.line + 1}:${found.column + 1}`
  } catch {
    // A trace of built lines is better than none.
    return undefined
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const digits = new Map(Array.from(alphabet, (character, value) => [character, value] as const))

/**
 * The last segment of a line that begins at or before a column. A segment is the differences to the one before, in its column,
 * source, source line and source column, each as digits of five bits, the lowest first, with the sign in the lowest bit.
 */
function find(mappings: string, line: number, column: number) {
  const sums = [0, 0, 0, 0, 0]
  let [row, field, value, shift] = [1, 0, 0, 0]
  let found: { source: number; line: number; column: number } | undefined
  for (const character of `${mappings};`) {
    const digit = digits.get(character)
    if (digit !== undefined) {
      value += (digit & 31) << shift
      shift += 5
      if (digit & 32) continue
      sums[field] = (sums[field] ?? 0) + (value & 1 ? -(value >> 1) : value >> 1)
      field += 1
      value = shift = 0
      continue
    }
    const [start = 0, source = 0, sourceLine = 0, sourceColumn = 0] = sums
    if (row === line && field >= 4 && start <= column) found = { source, line: sourceLine, column: sourceColumn }
    if (row > line || (row === line && start > column)) return found
    field = 0
    if (character === ';') {
      row += 1
      sums[0] = 0
    }
  }
  return found
}
