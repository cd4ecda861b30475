import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const place = /((?:file:\/\/)?\/[^\s():]+\.js):(\d+):(\d+)/g
const cachedMs = 60_000
const maps = new Map<string, SourceMap | undefined>()

/**
 * A stack trace of built code with the lines of its sources, by the maps beside the files; of other code, unchanged. Node can
 * do it by itself, but then holds every map in memory from the start: 36 MB.
 */
export function inSources(stack: string): string {
  return stack.replace(place, (found, at: string, line: string, column: string) => {
    const file = at.startsWith('file:') ? fileURLToPath(at) : at
    const origin = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!origin || !('originalSource' in origin)) return found
    const source = relative(process.cwd(), resolve(file, '..', origin.originalSource))
    return `${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}`
  })
}

// Errors come in groups, and a map takes some ten megabytes.
function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    if (maps.size === 0) setTimeout(() => maps.clear(), cachedMs).unref()
    maps.set(file, existsSync(`${file}.map`) ? readMap(`${file}.map`) : undefined)
  }
  return maps.get(file)
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as ConstructorParameters<typeof SourceMap>[0])
  } catch {
    // A trace of built lines is better than none.
    return undefined
  }
}
