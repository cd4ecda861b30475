import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
// The build's own program knows what a first visit loads.
import { criticalFiles } from '../../src/build/critical-size.ts'
import { clientBuild } from './client-build.ts'
import type { Figure } from './figure.ts'

const kB = 1000
const chunkGoals = [
  { named: /^apex-chart-/, atMost: 130 },
  { named: /./, atMost: 30 },
]
// Below this a chunk is not worth a line of its own.
const shownFrom = 3

/** Bytes as sent with brotli: the critical path whole and in its parts, then every lazy chunk. */
export async function measureSize(): Promise<Figure[]> {
  const folder = clientBuild()
  const critical = criticalFiles(folder)
  const whole = critical.reduce((sum, file) => sum + file.brotliBytes, 0) / kB
  const parts = critical.map(({ file, brotliBytes }) => sized(`· ${file.replace('assets/', '')}`, brotliBytes / kB))
  const beforeFigures = critical.find(({ file }) => file === 'index.html')?.brotliBytes ?? 0
  const drawn = readdirSync(join(folder, 'assets'))
    .filter(name => /^first-screen-.*\.js$/.test(name))
    .reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(folder, 'assets', name))).length, 0)
  const first = new Set(critical.map(({ file }) => file))
  const lazy = readdirSync(join(folder, 'assets'))
    .filter(name => /\.(js|css)$/.test(name) && !first.has(`assets/${name}`))
    .map(name => ({ name, kB: brotliCompressSync(readFileSync(join(folder, 'assets', name))).length / kB }))
    .sort((a, b) => b.kB - a.kB)
  const shown = lazy.filter(chunk => chunk.kB >= shownFrom)
  const rest = lazy.filter(chunk => chunk.kB < shownFrom)
  return [
    { ...sized('critical path, JS + CSS + HTML', whole), goal: { atMost: 150 }, note: 'never above 160 kB' },
    ...parts,
    {
      ...sized('before the first figures: page and first screen', (beforeFigures + drawn) / kB),
      goal: { atMost: 110 },
    },
    ...shown.map(chunk => ({
      ...sized(`lazy ${chunk.name}`, chunk.kB),
      goal: { atMost: chunkGoals.find(({ named }) => named.test(chunk.name))?.atMost ?? 30 },
    })),
    sized(
      `${rest.length} lazy chunks below ${shownFrom} kB, together`,
      rest.reduce((sum, chunk) => sum + chunk.kB, 0),
    ),
  ]
}

const sized = (name: string, value: number): Figure => ({ name, unit: 'kB', value, count: 1 })
