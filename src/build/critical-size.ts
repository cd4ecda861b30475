import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

/** One file of the critical path with its size as sent, in bytes. */
export interface CriticalFile {
  file: string
  rawBytes: number
  brotliBytes: number
}

const staticImport = /(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{},\s]+?from\s*)?["']\.\/([^"']+)["']/g

/**
 * What a first visit must load before the first route can run: index.html (which holds the style sheet), its scripts
 * and everything these import statically. `folder` is the built client. Throws when there is no build.
 */
export function criticalFiles(folder: string): CriticalFile[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(staticImport)) visit(`assets/${name}`)
  }
  for (const [, file] of html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)) if (file) visit(file)
  return ['index.html', ...seen].map(file => {
    const bytes = readFileSync(join(folder, file))
    return { file, rawBytes: bytes.length, brotliBytes: brotliCompressSync(bytes).length }
  })
}
