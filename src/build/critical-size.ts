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

// index.html has no element for it: the early script in it names the app's program and starts it.
const appProgram = /["'`]\/(assets\/index-[^"'`]+\.js)["'`]/

/**
 * What a first visit must load before the first route can run: index.html (which holds the style sheet), the app's program
 * and everything that imports statically. `folder` is the built client. Throws when there is no build, or none whose page
 * starts the program.
 */
export function criticalFiles(folder: string): CriticalFile[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(staticImport)) visit(`assets/${name}`)
  }
  const [, program] = appProgram.exec(html) ?? []
  if (!program) throw new Error('index.html starts no program')
  visit(program)
  return ['index.html', ...seen].map(file => {
    const bytes = readFileSync(join(folder, file))
    return { file, rawBytes: bytes.length, brotliBytes: brotliCompressSync(bytes).length }
  })
}
