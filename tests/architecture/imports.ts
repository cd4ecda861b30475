import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Source {
  /** Path from the top of the project, with forward slashes. */
  path: string
  lines: number
  text: string
  imports: { specifier: string; target: string | null; typeOnly: boolean }[]
}

const sourceFile = /\.(ts|tsx|mjs)$/

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? walk(path) : sourceFile.test(entry.name) ? [path] : []
  })
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

/** Every source file below src with what it imports; `target` is null for packages and Node's own modules. */
export function readSources(): Source[] {
  return walk('src').map(path => {
    const text = readFileSync(join(root, path), 'utf8')
    const imports = [...text.matchAll(importPattern)].map(match => {
      const specifier = match[2] ?? match[3] ?? ''
      return { specifier, target: targetOf(path, specifier), typeOnly: Boolean(match[1]) }
    })
    return { path, lines: text.split('\n').length - 1, text, imports }
  })
}

function targetOf(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  if (!specifier.startsWith('.')) return null
  return relative(root, resolve(root, dirname(from), specifier)).replaceAll('\\', '/')
}

export type Room =
  | 'main'
  | 'shared'
  | 'build'
  | 'client'
  | 'server'
  | 'sandbox'
  | 'integrations'
  | 'feature-root'
  | 'feature-client'
  | 'feature-server'

export interface Place {
  room: Room
  /** The feature or integration, for rooms that have several. */
  name: string | null
}

const singleRooms = ['main', 'shared', 'build', 'client', 'server', 'sandbox'] as const

/** Which room of the house a path stands in. Throws for a path that has none. */
export function placeOf(path: string): Place {
  const [, top, name = '', sub = ''] = path.split('/')
  if (top === 'features') {
    if (sub === 'client') return { room: 'feature-client', name }
    if (sub === 'server') return { room: 'feature-server', name }
    return { room: 'feature-root', name }
  }
  if (top === 'integrations') return { room: 'integrations', name }
  const single = singleRooms.find(room => room === top)
  if (single) return { room: single, name: null }
  throw new Error(`${path} stands in no room`)
}
