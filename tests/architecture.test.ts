import { describe, expect, test } from 'vitest'
import { type Place, placeOf, readSources, type Source } from './architecture/imports.ts'
import { findBannedWords } from './architecture/plain-language.ts'

const sources = readSources()
const code = sources.filter(s => !/\.test\.tsx?$/.test(s.path))

const layers: Record<string, 1 | 2 | 3> = {
  auth: 1,
  accounts: 1,
  catalogue: 1,
  structure: 1,
  metrics: 1,
  'exchange-rates': 1,
  campaigns: 2,
  launches: 2,
  recommendations: 2,
  subscription: 2,
  affiliate: 2,
  branding: 2,
  billing: 2,
  notifications: 2,
  alerts: 2,
  managing: 2,
  team: 2,
  'budget-rescue': 2,
  insights: 2,
  optimizer: 2,
  home: 3,
  reports: 3,
  share: 3,
  'data-export': 3,
  erasure: 3,
  onboarding: 3,
}

const isDoor = (target: string, side: 'client' | 'server') =>
  new RegExp(`^src/features/[^/]+/${side}/public\\.tsx?$`).test(target)
const isContract = (target: string) => /^src\/features\/[^/]+\/(?:[a-z]+-)?contract\.ts$/.test(target)

/** The table "who may import whom": true when a file at `from` may import `target`. */
function allowed(from: Place, target: string): boolean {
  const to = placeOf(target)
  const own = to.name === from.name
  switch (from.room) {
    case 'main':
      return to.room !== 'sandbox'
    case 'shared':
      return to.room === 'shared'
    case 'build':
    case 'client':
    case 'server':
      return to.room === from.room || to.room === 'shared'
    case 'sandbox':
      return to.room === 'sandbox' || to.room === 'shared'
    case 'integrations':
      return (
        (to.room === 'integrations' && own) ||
        to.room === 'shared' ||
        /^src\/server\/(log|config|http-client)\//.test(target)
      )
    case 'feature-root':
      return (to.room === 'feature-root' && own) || to.room === 'shared' || isContract(target)
    case 'feature-client':
      if (to.room === 'feature-root') return own || isContract(target)
      return (
        (to.room === 'feature-client' && (own || isDoor(target, 'client'))) ||
        to.room === 'client' ||
        to.room === 'shared'
      )
    case 'feature-server':
      if (to.room === 'feature-root') return own || isContract(target)
      if (to.room === 'integrations') return target.endsWith('/index.ts')
      return (
        (to.room === 'feature-server' && (own || isDoor(target, 'server'))) ||
        to.room === 'server' ||
        to.room === 'shared'
      )
  }
}

const edges = (files: Source[]) =>
  files.flatMap(s => s.imports.flatMap(i => (i.target?.startsWith('src/') ? [{ from: s.path, to: i.target }] : [])))

describe('the house', () => {
  test('each import goes through a door that its room may use', () => {
    const wrong = edges(code).filter(({ from, to }) => !allowed(placeOf(from), to))
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('the truth of the simulated market serves tests and benches alone', () => {
    const own = /^src\/sandbox\/market\/(judge\/|.*\.test\.ts$)/
    const wrong = edges(sources).filter(({ from, to }) => to.startsWith('src/sandbox/market/judge/') && !own.test(from))
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('nothing imports main', () => {
    const wrong = edges(code).filter(({ from, to }) => !from.startsWith('src/main/') && to.startsWith('src/main/'))
    expect(wrong).toEqual([])
  })

  test('features point from journey to product to foundation', () => {
    const wrong = edges(code).filter(({ from, to }) => {
      const a = placeOf(from).name
      const b = placeOf(to).name
      if (!from.startsWith('src/features/') || !to.startsWith('src/features/') || !a || !b || a === b) return false
      return (layers[a] ?? 2) < (layers[b] ?? 2)
    })
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test('no feature reaches itself by way of others', () => {
    const graph = new Map<string, Set<string>>()
    for (const { from, to } of edges(code)) {
      const a = from.startsWith('src/features/') ? placeOf(from).name : null
      const b = to.startsWith('src/features/') ? placeOf(to).name : null
      if (a && b && a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b))
    }
    expect(loopIn(graph)).toBeNull()
  })

  test('no file imports itself by way of others, types included', () => {
    const graph = new Map<string, Set<string>>()
    for (const { from, to } of edges(code)) graph.set(from, (graph.get(from) ?? new Set()).add(to))
    expect(loopIn(graph)).toBeNull()
  })

  test('code that runs anywhere knows neither Node nor the browser', () => {
    const rooms = new Set(['shared', 'feature-root'])
    const wrong = code
      .filter(s => rooms.has(placeOf(s.path).room))
      .flatMap(s => s.imports.filter(i => i.specifier.startsWith('node:')).map(i => `${s.path} -> ${i.specifier}`))
    expect(wrong).toEqual([])
  })

  test('the browser gets no zod and no Node module', () => {
    const wrong = code
      .filter(s => ['client', 'feature-client'].includes(placeOf(s.path).room))
      .flatMap(s =>
        s.imports
          .filter(i => i.specifier === 'zod' || i.specifier.startsWith('node:'))
          .map(i => `${s.path} -> ${i.specifier}`),
      )
    expect(wrong).toEqual([])
  })

  test('only the format of the reader writes numbers and days for people', () => {
    const own = ['src/shared/region-format.ts', 'src/shared/time.ts']
    const written = /\bIntl\.(?!Segmenter\b|\w+Options\b)|\.toLocale(Date|Time)?String\(/
    const wrong = code.filter(({ path, text }) => {
      const { room } = placeOf(path)
      return room !== 'sandbox' && room !== 'build' && !own.includes(path) && written.test(text)
    })
    expect(wrong.map(s => s.path)).toEqual([])
  })

  test('no file uses a word that the glossary replaces', () => {
    expect(findBannedWords()).toEqual([])
  })

  test('few files are too small to be worth opening', () => {
    const importersOf = new Map<string, Set<string>>()
    for (const { from, to } of edges(code)) importersOf.set(to, (importersOf.get(to) ?? new Set()).add(from))
    const folder = (path: string) => path.slice(0, path.lastIndexOf('/'))
    const small = code.filter(({ path, lines }) => {
      const [importer, ...others] = importersOf.get(path) ?? []
      return lines < 40 && importer !== undefined && !others.length && folder(importer) === folder(path)
    })
    expect(small.map(s => s.path).slice(20)).toEqual([])
  })

  test('no file is longer than 500 lines', () => {
    const written = sources.filter(s => s.path !== 'src/server/db/generated-tables.ts')
    expect(written.filter(s => s.lines > 500).map(s => `${s.path}: ${s.lines}`)).toEqual([])
  })

  test('files are named in kebab case and never after nothing in particular', () => {
    const wrong = sources.filter(s => {
      const name =
        s.path
          .split('/')
          .at(-1)
          ?.replace(/\.(dom\.test|test|job)?\.?(tsx?|mjs)$/, '') ?? ''
      return (
        !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) ||
        ['utils', 'helpers', 'common', 'misc', 'manager', 'types', 'index'].includes(name)
      )
    })
    const ports = /^src\/integrations\/[^/]+\/index\.ts$/
    expect(wrong.map(s => s.path).filter(path => !ports.test(path))).toEqual([])
  })
})

function loopIn(graph: Map<string, Set<string>>): string[] | null {
  const done = new Set<string>()
  const visit = (node: string, path: string[]): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return null
    for (const next of graph.get(node) ?? []) {
      const loop = visit(next, [...path, node])
      if (loop) return loop
    }
    done.add(node)
    return null
  }
  for (const node of graph.keys()) {
    const loop = visit(node, [])
    if (loop) return loop
  }
  return null
}
