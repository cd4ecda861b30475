import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
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

/** Holds the map that is read, one after the other: a buffer or a string for each would stay with the process for long. */
let space = Buffer.alloc(0)

/** Where a place of built code was written, by the map beside it; undefined where there is none. */
function originOf(mapFile: string, line: number, column: number): string | undefined {
  if (!existsSync(mapFile)) return undefined
  try {
    const map = read(mapFile)
    const found = find(part(map, '"mappings":"', '"'), line, column - 1)
    if (!found) return undefined
    const sources = JSON.parse(`[${part(map, '"sources":[', ']').toString()}]`) as string[]
    const source = sources[found.source]
    return source && `${relative(process.cwd(), resolve(mapFile, '..', source))}:${found.line + 1}:${found.column + 1}`
  } catch {
    // A trace of built lines is better than none.
    return undefined
  }
}

function read(file: string): Buffer {
  const open = openSync(file, 'r')
  try {
    const { size } = fstatSync(open)
    if (size > space.length) space = Buffer.alloc(size)
    return space.subarray(0, readSync(open, space, 0, size, 0))
  } finally {
    closeSync(open)
  }
}

function part(map: Buffer, before: string, after: string): Buffer {
  const begin = map.indexOf(before) + before.length
  return map.subarray(begin, map.indexOf(after, begin))
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const noDigit = 255
const digits = new Uint8Array(256).fill(noDigit)
for (const [value, character] of Array.from(alphabet).entries()) digits[character.charCodeAt(0)] = value
const lineEnd = ';'.charCodeAt(0)

/**
 * The last segment of a line that begins at or before a column. A segment is the differences to the one before, in its column,
 * source, source line and source column, each as digits of five bits, the lowest first, with the sign in the lowest bit.
 */
function find(mappings: Uint8Array, line: number, column: number) {
  const sums = [0, 0, 0, 0, 0]
  let [row, field, value, shift] = [1, 0, 0, 0]
  let found: { source: number; line: number; column: number } | undefined
  for (let at = 0; at <= mappings.length; at++) {
    const character = mappings[at] ?? lineEnd
    const digit = digits[character] ?? noDigit
    if (digit !== noDigit) {
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
    if (character === lineEnd) {
      row += 1
      sums[0] = 0
    }
  }
  return found
}
